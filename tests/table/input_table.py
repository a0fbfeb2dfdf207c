"""What every input does in every state of the table.

Owns the expectations; the states stand in `every_state.py`, the inputs and the words for what
happens in `every_input.py`. A block holds for one state, `any` for every state of that sensing
which does not say otherwise. A line tells what happens and, after the colon, to which inputs: the
entries by their kinds, or `refused` and `told` (good news) with the message, or `silent`; then `+`
what else changed and `>` the next phase.
"""

TABLE = """
[touch any]
refused table.confirm_new +question: ask-new_game
refused table.confirm_resign +question: ask-resign
refused table.no_cell: ask-next_cell ask-touch_cell
+draft > set_up: ask-set_up
+down: touch-orange touch-blue
no such thing: touch-to-remove touch-to-put touch-next-tap touch-chosen touch-same-finger
    touch-beside-finger touch-prey-beside-finger touch-masked hold-down hold-chosen lift-down
    lift-inspected lift-same-finger stand-masked stand-one-less stand-one-removed stand-one-put
    stand-next-tap stand-slid stand-none
silent: hold-free lift-free stand-same stand-one-more stand-too-big stand-two-more stand-hand
    stand-restored stand-right trouble-mended mask-none kept name-nobody
refused table.palm: palm
+disturbed +lost: trouble
+masked: mask-one-more
+unkept: unkept
NAMES: name-both
refused table.bad_names: name-too-many name-too-long
refused table.not_setting_up: lay-orange lay-blue-on-orange lay-nothing lay-unknown-cell
    lay-unknown-piece pick-blue pick-unknown tally tally-negative tally-too-few tally-nobody

[touch draw]
refused table.wait_for_draw: ask-new_game ask-set_up touch-free touch-unknown touch-key
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_confirm: ask-confirm
no such thing: touch-too-big touch-orange touch-blue stand-too-big stand-restored stand-right
    lay-blue-on-orange lay-nothing

[touch draw_disturbed]
refused table.wait_for_draw: ask-new_game ask-set_up
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.paused: ask-next_cell ask-touch_cell ask-confirm touch-free touch-unknown
    touch-key
no such thing: touch-too-big touch-orange touch-blue stand-too-big stand-restored stand-right
    lay-blue-on-orange lay-nothing
silent: palm
told table.goes_on +disturbed +lost: trouble-mended

[touch before_the_first_move]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
> confirm: ask-confirm
MOVE EDIT: touch-free
no such thing: touch-too-big touch-orange touch-blue stand-too-big stand-restored stand-right
    lay-blue-on-orange lay-nothing
refused circle_of_life.no_such_cell: touch-unknown touch-key

[touch tap]
TAKE_BACK > edit: ask-take_back
> confirm: ask-confirm
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
refused circle_of_life.no_such_cell: touch-unknown touch-key

[touch tap_named_and_unkept]
TAKE_BACK > edit: ask-take_back
> confirm: ask-confirm
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
refused circle_of_life.no_such_cell: touch-unknown touch-key
silent: unkept
told table.kept_again +unkept: kept
NAMES: name-nobody

[touch tap_and_a_finger_on_a_stone]
TAKE_BACK > edit: ask-take_back
+down > confirm: ask-confirm
+down +draft > set_up: ask-set_up
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
+echoes: touch-same-finger
refused table.slid: touch-beside-finger
refused circle_of_life.no_such_cell: touch-unknown touch-key
+down +inspecting: hold-down
refused circle_of_life.occupied +down: lift-down lift-same-finger
+down +disturbed +lost: trouble

[touch tap_and_a_finger_has_just_left]
TAKE_BACK > edit: ask-take_back
> confirm: ask-confirm
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
silent: touch-same-finger lift-same-finger
refused table.slid: touch-beside-finger
refused circle_of_life.no_such_cell: touch-unknown touch-key

[touch tap_and_a_finger_rests_on_the_stone_just_set]
TAKE_BACK > edit: ask-take_back
> confirm: ask-confirm
refused table.one_stone: touch-free
no such thing: touch-too-big stand-too-big
+down +echoes: touch-same-finger
refused table.slid: touch-beside-finger
refused circle_of_life.no_such_cell: touch-unknown touch-key
silent: lift-same-finger

[touch tap_and_inspecting]
TAKE_BACK > edit: ask-take_back
+inspecting > confirm: ask-confirm
+inspecting +draft > set_up: ask-set_up
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
+down +echoes: touch-same-finger
refused table.slid: touch-beside-finger
refused circle_of_life.no_such_cell: touch-unknown touch-key
+inspecting: lift-inspected lift-same-finger
+inspecting +disturbed +lost: trouble

[touch tap_and_new_game_is_asked]
START > draw: ask-new_game
TAKE_BACK > edit: ask-take_back
+question > confirm: ask-confirm
+question +draft > set_up: ask-set_up
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
refused circle_of_life.no_such_cell: touch-unknown touch-key

[touch tap_and_resigning_is_asked]
TAKE_BACK > edit: ask-take_back
RESIGN > over: ask-resign
+question > confirm: ask-confirm
+question +draft > set_up: ask-set_up
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
refused circle_of_life.no_such_cell: touch-unknown touch-key

[touch tap_masked]
TAKE_BACK > edit: ask-take_back
silent: ask-next_cell stand-masked
MOVE EDIT: ask-touch_cell touch-free touch-masked
> confirm: ask-confirm
refused circle_of_life.too_big: touch-too-big
refused circle_of_life.no_such_cell: touch-unknown touch-key
+masked: mask-none

[touch tap_and_cells_are_felt_again]
TAKE_BACK > edit: ask-take_back
> confirm: ask-confirm
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
refused circle_of_life.no_such_cell: touch-unknown touch-key

[touch tap_disturbed]
TAKE_BACK > edit: ask-take_back
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up touch-free
    touch-too-big touch-orange touch-blue touch-unknown touch-key
silent: palm
told table.goes_on +disturbed +lost: trouble-mended

[touch toy]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
> confirm: ask-confirm
refused rules.no_set_up: ask-set_up
no such thing: touch-free hold-free lift-free stand-one-more stand-hand stand-restored
    mask-one-more lay-orange
refused rules.not_legal: touch-too-big touch-unknown
+taps: touch-orange
MOVE: touch-key

[touch toy_taps_begun]
START > draw: ask-new_game
+taps: ask-take_back
+taps > confirm: ask-confirm
refused rules.no_set_up: ask-set_up
no such thing: touch-free touch-orange hold-free lift-free stand-one-more stand-hand
    stand-restored mask-one-more lay-orange lay-blue-on-orange lay-nothing
refused rules.not_legal: touch-too-big touch-unknown touch-key
MOVE EDIT EDIT: touch-next-tap
+down: touch-chosen
+taps +inspecting: hold-chosen
silent: stand-next-tap
+taps +disturbed +lost: trouble

[touch edit_removals]
TAKE_BACK: ask-take_back
> confirm: ask-confirm
refused table.first_take_away: touch-free touch-unknown touch-key
no such thing: touch-too-big stand-too-big
EDIT: touch-to-remove

[touch edit_removals_disturbed]
TAKE_BACK: ask-take_back
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up touch-free
    touch-orange touch-blue touch-to-remove touch-unknown touch-key
no such thing: touch-too-big stand-too-big
silent: palm
told table.goes_on +disturbed +lost: trouble-mended

[touch edit_removal_masked]
TAKE_BACK: ask-take_back
silent: ask-next_cell stand-masked
EDIT: ask-touch_cell touch-to-remove touch-masked
> confirm: ask-confirm
refused table.first_take_away: touch-free touch-unknown touch-key
no such thing: touch-too-big stand-too-big
+masked: mask-none

[touch edit_and_a_finger_has_just_left]
TAKE_BACK: ask-take_back
> confirm: ask-confirm
refused table.first_take_away: touch-free touch-beside-finger touch-unknown touch-key
no such thing: touch-too-big stand-too-big
EDIT > tap: touch-to-remove
silent: touch-same-finger lift-same-finger

[touch edit_and_the_finger_that_ate_is_down]
TAKE_BACK: ask-take_back
> confirm: ask-confirm
refused table.first_take_away: touch-free touch-beside-finger touch-unknown touch-key
no such thing: touch-too-big stand-too-big
refused table.slid_off: touch-to-remove touch-prey-beside-finger
+down +echoes: touch-same-finger
silent: lift-same-finger

[touch edit_after_take_back]
TAKE_BACK: ask-take_back
> confirm: ask-confirm
refused table.first_take_away: touch-free touch-unknown touch-key
no such thing: touch-too-big stand-too-big
EDIT: touch-to-remove touch-to-put
silent: stand-one-put

[touch over_by_score]
START > draw: ask-new_game
TAKE_BACK > edit: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_confirm: ask-confirm
refused rules.game_over: touch-free touch-unknown touch-key
no such thing: touch-too-big stand-too-big

[touch over_removals]
START > draw: ask-new_game
TAKE_BACK > edit: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_confirm: ask-confirm
refused rules.game_over: touch-free touch-unknown touch-key
no such thing: touch-too-big stand-too-big
EDIT: touch-to-remove

[touch over_by_resignation]
START > draw: ask-new_game
TAKE_BACK > tap: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_confirm: ask-confirm
refused rules.game_over: touch-free touch-too-big touch-unknown touch-key

[touch over_from_the_set_up]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_confirm: ask-confirm
refused rules.game_over: touch-free touch-unknown touch-key
no such thing: touch-too-big stand-too-big stand-restored

[touch confirm]
refused table.confirm_first: ask-take_back ask-resign
> tap: ask-touch_cell ask-confirm touch-free touch-too-big touch-orange touch-blue touch-unknown
    touch-key

[touch confirm_removals]
refused table.confirm_first: ask-take_back ask-resign
> edit: ask-touch_cell ask-confirm touch-free touch-orange touch-blue touch-unknown touch-key
no such thing: touch-too-big stand-too-big
EDIT > edit: touch-to-remove

[touch confirm_disturbed]
refused table.confirm_first: ask-take_back ask-resign
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up touch-free
    touch-too-big touch-orange touch-blue touch-unknown touch-key
silent: palm
told table.goes_on +disturbed +lost: trouble-mended

[touch set_up]
START SET_UP > tap: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
refused table.nothing_to_confirm: ask-confirm
+standing +draft: touch-free touch-too-big touch-orange touch-blue
silent: touch-unknown touch-key
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody

[touch set_up_flawed]
refused circle_of_life.impossible: ask-new_game
STANDS > edit: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
refused table.nothing_to_confirm: ask-confirm
+standing +draft: touch-free touch-too-big touch-orange touch-blue
silent: touch-unknown touch-key
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody

[touch set_up_by_the_page]
START SET_UP STANDS > edit: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
refused table.nothing_to_confirm: ask-confirm
+standing +draft: touch-free touch-too-big touch-orange touch-blue
+standing: touch-to-remove touch-to-put
silent: touch-unknown touch-key stand-one-put
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody

[touch set_up_and_a_finger_has_just_left]
START SET_UP > tap: ask-new_game
STANDS > edit: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
refused table.nothing_to_confirm: ask-confirm
+standing +draft: touch-free touch-too-big touch-orange touch-blue touch-beside-finger
silent: touch-same-finger touch-unknown touch-key lift-same-finger
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody

[touch set_up_masked]
START SET_UP > tap: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
silent: ask-next_cell touch-unknown touch-key stand-masked
+standing +draft: ask-touch_cell touch-free touch-too-big touch-orange touch-blue touch-masked
refused table.nothing_to_confirm: ask-confirm
+masked: mask-none
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody

[touch set_up_disturbed]
START SET_UP > tap: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
refused table.paused: ask-next_cell ask-touch_cell ask-confirm touch-free touch-too-big
    touch-orange touch-blue touch-unknown touch-key
silent: palm
told table.goes_on +disturbed +lost: trouble-mended
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody

[touch set_up_both_have_won]
refused circle_of_life.both_won: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
refused table.nothing_to_confirm: ask-confirm
+standing +draft: touch-free touch-too-big touch-orange touch-blue
silent: touch-unknown touch-key
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody

[presence any]
refused table.confirm_resign +question: ask-resign
refused table.no_cell: ask-next_cell ask-touch_cell
refused table.nothing_to_confirm: ask-confirm
silent: touch-free touch-too-big touch-orange touch-blue hold-free lift-free stand-same
    trouble-mended mask-none kept name-nobody
no such thing: touch-to-remove touch-to-put touch-next-tap touch-chosen touch-same-finger
    touch-beside-finger touch-prey-beside-finger touch-masked hold-down hold-chosen lift-down
    lift-inspected lift-same-finger stand-masked stand-one-removed stand-one-put stand-next-tap
    stand-right
refused table.palm: palm
+disturbed +lost: trouble
+masked: mask-one-more
+unkept: unkept
NAMES: name-both
refused table.bad_names: name-too-many name-too-long
refused table.not_setting_up: lay-orange lay-blue-on-orange lay-nothing lay-unknown-cell
    lay-unknown-piece pick-blue pick-unknown tally tally-negative tally-too-few tally-nobody

[presence draw]
refused table.wait_for_draw: ask-new_game ask-set_up touch-unknown touch-key
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_resign: ask-resign
no such thing: touch-too-big touch-orange touch-blue stand-too-big stand-one-less stand-slid
    stand-none stand-restored lay-blue-on-orange lay-nothing
refused table.wait_for_draw +standing: stand-one-more stand-two-more
refused table.hand_rests +standing: stand-hand

[presence draw_disturbed]
refused table.wait_for_draw: ask-new_game ask-set_up
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.paused: ask-next_cell ask-touch_cell ask-confirm touch-free touch-unknown
    touch-key stand-one-more stand-two-more stand-hand
no such thing: touch-too-big touch-orange touch-blue stand-too-big stand-one-less stand-slid
    stand-none stand-restored lay-blue-on-orange lay-nothing
silent: palm
told table.goes_on +disturbed +lost: trouble-mended

[presence before_the_first_move]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
+draft > set_up: ask-set_up
no such thing: touch-too-big touch-orange touch-blue stand-too-big stand-one-less stand-slid
    stand-none stand-restored lay-blue-on-orange lay-nothing
refused circle_of_life.no_such_cell: touch-unknown touch-key
MOVE EDIT: stand-one-more
refused table.one_stone +standing > edit: stand-two-more
refused table.hand_rests +standing > edit: stand-hand

[presence tap]
refused table.confirm_new +question: ask-new_game
TAKE_BACK > edit: ask-take_back
+draft > set_up: ask-set_up
refused circle_of_life.no_such_cell: touch-unknown touch-key
MOVE EDIT: stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
refused table.one_stone +standing > edit: stand-two-more
refused table.hand_rests +standing > edit: stand-hand
+standing > edit: stand-one-less stand-none
refused table.first_put +standing > edit: stand-slid
TAKE_BACK: stand-restored

[presence tap_named_and_unkept]
refused table.confirm_new +question: ask-new_game
TAKE_BACK > edit: ask-take_back
+draft > set_up: ask-set_up
refused circle_of_life.no_such_cell: touch-unknown touch-key
MOVE EDIT: stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
refused table.one_stone +standing > edit: stand-two-more
refused table.hand_rests +standing > edit: stand-hand
+standing > edit: stand-one-less stand-none
refused table.first_put +standing > edit: stand-slid
TAKE_BACK: stand-restored
silent: unkept
told table.kept_again +unkept: kept
NAMES: name-nobody

[presence tap_and_new_game_is_asked]
START > draw: ask-new_game
TAKE_BACK > edit: ask-take_back
+question +draft > set_up: ask-set_up
refused circle_of_life.no_such_cell: touch-unknown touch-key
MOVE EDIT: stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
refused table.one_stone +standing > edit: stand-two-more
refused table.hand_rests +standing > edit: stand-hand
+standing > edit: stand-one-less stand-none
refused table.first_put +standing > edit: stand-slid
TAKE_BACK: stand-restored

[presence tap_and_resigning_is_asked]
refused table.confirm_new +question: ask-new_game
TAKE_BACK > edit: ask-take_back
RESIGN > over: ask-resign
+question +draft > set_up: ask-set_up
refused circle_of_life.no_such_cell: touch-unknown touch-key
MOVE EDIT: stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
refused table.one_stone +standing > edit: stand-two-more
refused table.hand_rests +standing > edit: stand-hand
+standing > edit: stand-one-less stand-none
refused table.first_put +standing > edit: stand-slid
TAKE_BACK: stand-restored

[presence tap_masked]
refused table.confirm_new +question: ask-new_game
TAKE_BACK > edit: ask-take_back
silent: ask-next_cell stand-masked
MOVE EDIT: ask-touch_cell touch-masked stand-one-more
+draft > set_up: ask-set_up
refused circle_of_life.no_such_cell: touch-unknown touch-key
refused circle_of_life.too_big +standing > edit: stand-too-big
refused table.one_stone +standing > edit: stand-two-more
refused table.hand_rests +standing > edit: stand-hand
+standing > edit: stand-one-less stand-none
refused table.first_put +standing > edit: stand-slid
TAKE_BACK: stand-restored
+masked: mask-none

[presence tap_and_cells_are_felt_again]
refused table.confirm_new +question: ask-new_game
TAKE_BACK > edit: ask-take_back
+draft > set_up: ask-set_up
refused circle_of_life.no_such_cell: touch-unknown touch-key
MOVE EDIT: stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
refused table.one_stone +standing > edit: stand-two-more
refused table.hand_rests +standing > edit: stand-hand
+standing > edit: stand-one-less stand-none
refused table.first_put +standing > edit: stand-slid
TAKE_BACK: stand-restored

[presence before_the_board_has_told]
refused table.confirm_new +question: ask-new_game
TAKE_BACK > edit: ask-take_back
+draft > set_up: ask-set_up
refused circle_of_life.no_such_cell: touch-unknown touch-key
+standing > edit: stand-one-more stand-too-big stand-two-more stand-hand stand-one-less
    stand-slid stand-none stand-restored

[presence tap_disturbed]
refused table.confirm_new +question: ask-new_game
TAKE_BACK > edit: ask-take_back
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up touch-free
    touch-too-big touch-orange touch-blue touch-unknown touch-key stand-one-more stand-too-big
    stand-two-more stand-hand stand-slid
silent: palm stand-one-less stand-none stand-restored
told table.goes_on +disturbed +lost: trouble-mended

[presence toy]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
refused rules.no_set_up: ask-set_up
no such thing: touch-free hold-free lift-free stand-one-more stand-hand stand-slid
    stand-restored mask-one-more lay-orange
refused rules.not_legal: touch-unknown
MOVE: touch-key
refused rules.not_legal +standing > edit: stand-too-big
refused table.one_stone +standing > edit: stand-two-more
+taps: stand-one-less
+standing > edit: stand-none

[presence toy_taps_begun]
START > draw: ask-new_game
+standing +taps > edit: ask-take_back stand-none
refused rules.no_set_up: ask-set_up
no such thing: touch-free touch-orange hold-free lift-free stand-one-more stand-hand
    stand-one-less stand-slid stand-restored mask-one-more lay-orange lay-blue-on-orange
    lay-nothing
silent: touch-next-tap touch-chosen hold-chosen
refused rules.not_legal: touch-unknown touch-key
refused table.first_put +standing +taps > edit: stand-too-big stand-two-more
MOVE EDIT EDIT: stand-next-tap
+taps: stand-right
+taps +disturbed +lost: trouble

[presence edit_removals]
refused table.confirm_new +question: ask-new_game
TAKE_BACK: ask-take_back
+draft > set_up: ask-set_up
no such thing: touch-too-big stand-too-big
silent: touch-to-remove
refused table.first_take_away: touch-unknown touch-key
refused table.first_take_away +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-none
TAKE_BACK > tap: stand-restored
+standing > tap: stand-right

[presence edit_removals_disturbed]
refused table.confirm_new +question: ask-new_game
TAKE_BACK: ask-take_back
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up touch-free
    touch-orange touch-blue touch-to-remove touch-unknown touch-key stand-one-more
    stand-two-more stand-hand stand-slid
no such thing: touch-too-big stand-too-big
silent: palm stand-one-less stand-one-removed stand-none stand-restored stand-right
told table.goes_on +disturbed +lost: trouble-mended

[presence edit_removal_masked]
refused table.confirm_new +question: ask-new_game
TAKE_BACK: ask-take_back
silent: ask-next_cell touch-to-remove
EDIT: ask-touch_cell touch-masked
+draft > set_up: ask-set_up
no such thing: touch-too-big stand-too-big
refused table.first_take_away: touch-unknown touch-key
refused table.first_take_away +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-none stand-right
TAKE_BACK > tap: stand-restored
+masked: mask-none

[presence edit_after_take_back]
refused table.confirm_new +question: ask-new_game
TAKE_BACK: ask-take_back
+draft > set_up: ask-set_up
no such thing: touch-too-big stand-too-big
silent: touch-to-remove touch-to-put
refused table.first_take_away: touch-unknown touch-key
refused table.first_take_away +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-one-put stand-none
TAKE_BACK > tap: stand-restored
+standing > tap: stand-right

[presence edit_a_stone_astray]
refused table.confirm_new +question: ask-new_game
TAKE_BACK: ask-take_back
+standing +draft > set_up: ask-set_up
silent: touch-to-remove
refused table.first_take_away: touch-unknown touch-key
refused table.first_take_away +standing: stand-one-more stand-too-big stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-none
+standing > tap: stand-one-removed stand-right
TAKE_BACK > tap: stand-restored

[presence over_by_score]
START > draw: ask-new_game
TAKE_BACK > edit: ask-take_back
refused table.nothing_to_resign: ask-resign
+draft > set_up: ask-set_up
no such thing: touch-too-big stand-too-big
refused rules.game_over: touch-unknown touch-key
refused rules.game_over +standing: stand-one-more stand-two-more stand-slid stand-restored
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-none

[presence over_removals]
START > draw: ask-new_game
TAKE_BACK > edit: ask-take_back
refused table.nothing_to_resign: ask-resign
+draft > set_up: ask-set_up
no such thing: touch-too-big stand-too-big
silent: touch-to-remove
refused rules.game_over: touch-unknown touch-key
refused rules.game_over +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-none stand-restored stand-right

[presence over_by_resignation]
START > draw: ask-new_game
TAKE_BACK > tap: ask-take_back
refused table.nothing_to_resign: ask-resign
+draft > set_up: ask-set_up
refused rules.game_over: touch-unknown touch-key
refused rules.game_over +standing: stand-one-more stand-too-big stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-none stand-restored

[presence over_from_the_set_up]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_resign: ask-resign
+draft > set_up: ask-set_up
no such thing: touch-too-big stand-too-big stand-restored
refused rules.game_over: touch-unknown touch-key
refused rules.game_over +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-none

[presence set_up]
START SET_UP > tap: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
silent: touch-unknown touch-key
+standing +draft: stand-one-more stand-too-big stand-two-more stand-hand stand-one-less
    stand-slid stand-none stand-restored lay-blue-on-orange
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody

[presence set_up_flawed]
refused circle_of_life.impossible: ask-new_game
+draft > edit: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
silent: touch-unknown touch-key
+standing +draft: stand-one-more stand-too-big stand-two-more stand-hand stand-one-less
    stand-slid stand-none stand-restored lay-blue-on-orange
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody

[presence set_up_by_the_page]
START SET_UP > edit: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
silent: touch-to-remove touch-to-put touch-unknown touch-key
+standing +draft: stand-one-more stand-too-big stand-two-more stand-hand stand-one-less
    stand-slid stand-none stand-restored lay-blue-on-orange
+standing: stand-one-removed stand-one-put stand-right
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody

[presence set_up_masked]
START SET_UP > tap: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
silent: ask-next_cell touch-unknown touch-key stand-masked
+standing +draft: ask-touch_cell touch-masked stand-one-more stand-too-big stand-two-more
    stand-hand stand-one-less stand-slid stand-none stand-restored lay-blue-on-orange
+masked: mask-none
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody

[presence set_up_disturbed]
START SET_UP > tap: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
refused table.paused: ask-next_cell ask-touch_cell ask-confirm touch-free touch-too-big
    touch-orange touch-blue touch-unknown touch-key stand-one-more stand-too-big stand-two-more
    stand-hand stand-slid
silent: palm stand-one-less stand-none stand-restored
told table.goes_on +disturbed +lost: trouble-mended
+standing +draft: lay-blue-on-orange
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody

[presence set_up_both_have_won]
refused circle_of_life.both_won: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
silent: touch-unknown touch-key
+standing +draft: stand-one-more stand-too-big stand-two-more stand-hand stand-one-less
    stand-slid stand-none stand-restored lay-blue-on-orange
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
"""
