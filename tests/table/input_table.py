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
TAKE_BACK > edit: ask-take_back
refused table.confirm_resign +question: ask-resign
refused table.no_cell: ask-next_cell ask-touch_cell
> confirm: ask-confirm
+draft > set_up: ask-set_up
refused table.no_hint: ask-hint
told table.teaching +teaching: ask-teach
> menu: ask-menu
no such thing: touch-too-big touch-to-remove touch-to-put touch-next-tap touch-chosen
    touch-same-finger touch-beside-finger touch-prey-beside-finger touch-masked touch-wanted
    touch-choice touch-no-choice hold-down hold-chosen lift-down lift-inspected lift-same-finger
    stand-masked stand-one-less stand-one-removed stand-one-put stand-next-tap stand-slid stand-none
    stand-wanted stand-choice stand-no-choice think
+down: touch-orange touch-blue
refused circle_of_life.no_such_cell: touch-unknown touch-key
silent: hold-free lift-free stand-same stand-one-more stand-too-big stand-two-more stand-hand
    stand-restored stand-right trouble-mended mask-none kept name-nobody oppose-nobody
    think-for-a-person think-of-the-past think-nonsense think-of-a-hint thinks-again
refused table.palm: palm
+disturbed +lost: trouble
+masked: mask-one-more
+unkept: unkept
NAMES: name-both
refused table.bad_names: name-too-many name-too-long
refused table.not_setting_up: lay-orange lay-blue-on-orange lay-nothing lay-unknown-cell
    lay-unknown-piece pick-blue pick-unknown tally tally-negative tally-too-few tally-nobody
COMPUTERS: oppose oppose-otherwise
START COMPUTERS > draw: oppose-anew
START > draw: oppose-nobody-anew
refused table.bad_computers: oppose-too-many oppose-unknown
+stumped: stumped

[touch draw]
refused table.wait_for_draw: ask-new_game ask-set_up touch-free touch-unknown touch-key ask-hint
    ask-menu oppose-anew oppose-nobody-anew
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_confirm: ask-confirm
no such thing: touch-orange touch-blue stand-too-big stand-restored stand-right
    lay-blue-on-orange lay-nothing think-of-the-past

[touch draw_disturbed]
refused table.wait_for_draw: ask-new_game ask-set_up ask-menu oppose-anew oppose-nobody-anew
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.paused: ask-next_cell ask-touch_cell ask-confirm touch-free touch-unknown
    touch-key ask-hint
no such thing: touch-orange touch-blue stand-too-big stand-restored stand-right
    lay-blue-on-orange lay-nothing think-of-the-past
silent: palm
told table.goes_on +disturbed +lost: trouble-mended

[touch before_the_first_move]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
MOVE EDIT: touch-free
no such thing: touch-orange touch-blue stand-too-big stand-restored stand-right
    lay-blue-on-orange lay-nothing think-of-the-past
+hinting: ask-hint

[touch tap]
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
+hinting: ask-hint

[touch tap_named_and_unkept]
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
silent: unkept
told table.kept_again +unkept: kept
NAMES: name-nobody
+hinting: ask-hint
START NAMES COMPUTERS > draw: oppose-anew
START NAMES > draw: oppose-nobody-anew

[touch tap_and_a_finger_on_a_stone]
+down > confirm: ask-confirm
+down +draft > set_up: ask-set_up
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
+echoes: touch-same-finger
refused table.slid: touch-beside-finger
+down +inspecting: hold-down
refused circle_of_life.occupied +down: lift-down lift-same-finger
+down +disturbed +lost: trouble
+hinting: ask-hint
+down > menu: ask-menu

[touch tap_and_a_finger_has_just_left]
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
silent: touch-same-finger lift-same-finger
refused table.slid: touch-beside-finger
+hinting: ask-hint

[touch tap_and_a_finger_rests_on_the_stone_just_set]
refused table.one_stone: touch-free
no such thing: stand-too-big
+down +echoes: touch-same-finger
refused table.slid: touch-beside-finger
silent: lift-same-finger
+hinting: ask-hint

[touch tap_and_inspecting]
+inspecting > confirm: ask-confirm
+inspecting +draft > set_up: ask-set_up
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
+down +echoes: touch-same-finger
refused table.slid: touch-beside-finger
+inspecting: lift-inspected lift-same-finger
+inspecting +disturbed +lost: trouble
+hinting: ask-hint
+inspecting > menu: ask-menu

[touch tap_and_new_game_is_asked]
START > draw: ask-new_game
+question > confirm: ask-confirm
+question +draft > set_up: ask-set_up
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
+hinting: ask-hint
+question > menu: ask-menu

[touch tap_and_resigning_is_asked]
RESIGN > over: ask-resign
+question > confirm: ask-confirm
+question +draft > set_up: ask-set_up
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
+hinting: ask-hint
+question > menu: ask-menu

[touch tap_masked]
silent: ask-next_cell stand-masked
MOVE EDIT: ask-touch_cell touch-free touch-masked
refused circle_of_life.too_big: touch-too-big
+masked: mask-none
+hinting: ask-hint

[touch tap_and_cells_are_felt_again]
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
+hinting: ask-hint

[touch tap_disturbed]
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up touch-free
    touch-too-big touch-orange touch-blue touch-unknown touch-key ask-hint ask-menu
silent: palm
told table.goes_on +disturbed +lost: trouble-mended

[touch toy]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
refused rules.no_set_up: ask-set_up
no such thing: touch-free hold-free lift-free stand-one-more stand-hand stand-restored
    mask-one-more lay-orange think-of-the-past
refused rules.not_legal: touch-too-big touch-unknown
+taps: touch-orange
MOVE: touch-key
+hinting: ask-hint

[touch toy_taps_begun]
START > draw: ask-new_game
+taps: ask-take_back
+taps > confirm: ask-confirm
refused rules.no_set_up: ask-set_up
no such thing: touch-free touch-orange hold-free lift-free stand-one-more stand-hand
    stand-restored mask-one-more lay-orange lay-blue-on-orange lay-nothing think-of-the-past
refused rules.not_legal: touch-too-big touch-unknown touch-key
MOVE EDIT EDIT: touch-next-tap
+down: touch-chosen
+taps +inspecting: hold-chosen
silent: stand-next-tap
+taps +disturbed +lost: trouble
+hinting: ask-hint
+taps > menu: ask-menu

[touch edit_removals]
TAKE_BACK: ask-take_back
refused table.first_take_away: touch-free touch-unknown touch-key
no such thing: stand-too-big
EDIT: touch-to-remove

[touch edit_removals_disturbed]
TAKE_BACK: ask-take_back
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up touch-free
    touch-orange touch-blue touch-to-remove touch-unknown touch-key ask-hint ask-menu
no such thing: stand-too-big
silent: palm
told table.goes_on +disturbed +lost: trouble-mended

[touch edit_removal_masked]
TAKE_BACK: ask-take_back
silent: ask-next_cell stand-masked
EDIT: ask-touch_cell touch-to-remove touch-masked
refused table.first_take_away: touch-free touch-unknown touch-key
no such thing: stand-too-big
+masked: mask-none

[touch edit_and_a_finger_has_just_left]
TAKE_BACK: ask-take_back
refused table.first_take_away: touch-free touch-beside-finger touch-unknown touch-key
no such thing: stand-too-big
EDIT > tap: touch-to-remove
silent: touch-same-finger lift-same-finger

[touch edit_and_the_finger_that_ate_is_down]
TAKE_BACK: ask-take_back
refused table.first_take_away: touch-free touch-beside-finger touch-unknown touch-key
no such thing: stand-too-big
refused table.slid_off: touch-to-remove touch-prey-beside-finger
+down +echoes: touch-same-finger
silent: lift-same-finger

[touch edit_after_take_back]
TAKE_BACK: ask-take_back
refused table.first_take_away: touch-free touch-unknown touch-key
no such thing: stand-too-big
EDIT: touch-to-remove touch-to-put
silent: stand-one-put

[touch over_by_score]
START > draw: ask-new_game
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_confirm: ask-confirm
refused rules.game_over: touch-free touch-unknown touch-key
no such thing: stand-too-big think-for-a-person think-nonsense think-of-a-hint

[touch over_removals]
START > draw: ask-new_game
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_confirm: ask-confirm
refused rules.game_over: touch-free touch-unknown touch-key
no such thing: stand-too-big think-for-a-person think-nonsense think-of-a-hint
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
no such thing: stand-too-big stand-restored think-for-a-person think-of-the-past think-nonsense
    think-of-a-hint

[touch confirm]
refused table.confirm_first: ask-take_back ask-resign ask-hint
> tap: ask-touch_cell ask-confirm touch-free touch-too-big touch-orange touch-blue touch-unknown
    touch-key

[touch confirm_removals]
refused table.confirm_first: ask-take_back ask-resign ask-hint
> edit: ask-touch_cell ask-confirm touch-free touch-orange touch-blue touch-unknown touch-key
no such thing: stand-too-big
EDIT > edit: touch-to-remove

[touch confirm_disturbed]
refused table.confirm_first: ask-take_back ask-resign
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up touch-free
    touch-too-big touch-orange touch-blue touch-unknown touch-key ask-hint ask-menu
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
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew

[touch set_up_flawed]
refused circle_of_life.impossible: ask-new_game
STANDS > edit: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
refused table.nothing_to_confirm: ask-confirm
+standing +draft: touch-free touch-too-big touch-orange touch-blue
silent: touch-unknown touch-key
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew

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
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew

[touch set_up_and_a_finger_has_just_left]
START SET_UP > tap: ask-new_game
STANDS > edit: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
refused table.nothing_to_confirm: ask-confirm
+standing +draft: touch-free touch-too-big touch-orange touch-blue touch-beside-finger
silent: touch-same-finger touch-unknown touch-key lift-same-finger
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew

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
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew

[touch set_up_disturbed]
START SET_UP > tap: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
refused table.paused: ask-next_cell ask-touch_cell ask-confirm touch-free touch-too-big
    touch-orange touch-blue touch-unknown touch-key ask-hint
silent: palm
told table.goes_on +disturbed +lost: trouble-mended
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew

[touch set_up_both_have_won]
refused circle_of_life.both_won: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
refused table.nothing_to_confirm: ask-confirm
+standing +draft: touch-free touch-too-big touch-orange touch-blue
silent: touch-unknown touch-key
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew

[touch computer_thinks]
refused table.wait_for_computer: touch-free touch-unknown touch-key
no such thing: stand-too-big
silent: oppose
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
+thought: think

[touch computer_thinks_disturbed]
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up ask-hint ask-menu
    touch-free touch-orange touch-blue touch-unknown touch-key
silent: palm oppose
no such thing: stand-too-big
told table.goes_on +disturbed +lost: trouble-mended
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
+thought: think

[touch computer_thinks_while_stones_are_removed]
TAKE_BACK: ask-take_back
refused table.first_take_away: touch-free touch-unknown touch-key
EDIT: touch-to-remove
no such thing: stand-too-big
silent: oppose
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
+thought: think

[touch computer_wants]
refused table.not_its_move: touch-free touch-unknown touch-key
MOVE EDIT: touch-wanted
no such thing: stand-too-big
silent: stand-wanted oppose think
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew

[touch computer_wants_a_masked_cell]
silent: ask-next_cell stand-masked stand-wanted oppose think
MOVE EDIT: ask-touch_cell touch-masked touch-wanted
refused table.not_its_move: touch-free touch-unknown touch-key
no such thing: stand-too-big
+masked: mask-none
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew

[touch computer_wants_and_is_disturbed]
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up ask-hint ask-menu
    touch-free touch-orange touch-blue touch-wanted touch-unknown touch-key
silent: palm stand-wanted oppose think
no such thing: stand-too-big
told table.goes_on +disturbed +lost: trouble-mended
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew

[touch computer_wants_while_stones_are_removed]
TAKE_BACK: ask-take_back
refused table.first_take_away: touch-free touch-wanted touch-unknown touch-key
EDIT: touch-to-remove
no such thing: stand-too-big
silent: stand-wanted oppose think
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew

[touch computer_is_stumped]
MOVE EDIT > edit: touch-free
no such thing: stand-too-big
silent: oppose stumped
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
+thought +stumped: think
+stumped: thinks-again

[touch computer_is_unknown]
MOVE EDIT > edit: touch-free
no such thing: stand-too-big
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
silent: think

[touch computers_only]
refused table.wait_for_computer: touch-free touch-unknown touch-key
no such thing: stand-too-big
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
+thought: think

[touch computer_moved_last]
TAKE_BACK TAKE_BACK > edit: ask-take_back
+hinting: ask-hint
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
silent: oppose
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew

[touch toy_computer_wants]
START COMPUTERS > draw: ask-new_game oppose-nobody-anew
refused table.nothing_to_take_back: ask-take_back
refused rules.no_set_up: ask-set_up
no such thing: touch-free hold-free lift-free stand-one-more stand-hand stand-restored
    mask-one-more lay-orange think-of-the-past
refused table.not_its_move: touch-too-big touch-unknown touch-key
+taps: touch-orange touch-wanted
silent: stand-wanted oppose-otherwise think
COMPUTERS: oppose-nobody

[touch toy_computer_taps_begun]
START COMPUTERS > draw: ask-new_game oppose-nobody-anew
+taps: ask-take_back
+taps > confirm: ask-confirm
refused rules.no_set_up: ask-set_up
+taps > menu: ask-menu
no such thing: touch-free touch-orange hold-free lift-free stand-one-more stand-hand
    stand-restored mask-one-more lay-orange lay-blue-on-orange lay-nothing think-of-the-past
refused table.not_its_move: touch-too-big touch-unknown touch-key
MOVE EDIT EDIT: touch-next-tap touch-wanted
+down: touch-chosen
+taps +inspecting: hold-chosen
silent: stand-next-tap stand-wanted oppose-otherwise think
+taps +disturbed +lost: trouble
COMPUTERS: oppose-nobody

[touch hinting]
+hinting: ask-hint
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big
+hinting +hints: think-of-a-hint
refused fault.link +hinting: stumped

[touch hints]
+hints: ask-hint
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big

[touch teaching]
+hinting: ask-hint
told table.not_teaching +teaching: ask-teach
MOVE EDIT: touch-free
refused circle_of_life.too_big: touch-too-big

[touch menu]
> tap: ask-new_game ask-take_back ask-resign ask-menu
refused table.nothing_to_confirm: ask-confirm
refused table.not_in_menu: touch-free touch-orange touch-blue touch-no-choice touch-unknown
    touch-key
START > draw: touch-too-big
START COMPUTERS > draw: touch-choice
silent: stand-choice stand-no-choice

[touch menu_opposed]
> tap: ask-new_game ask-take_back ask-resign ask-menu
refused table.nothing_to_confirm: ask-confirm
START COMPUTERS > draw: touch-free touch-orange touch-wanted touch-choice oppose-nobody-anew
refused table.not_in_menu: touch-blue touch-no-choice touch-unknown touch-key
no such thing: stand-too-big
silent: stand-wanted stand-choice stand-no-choice oppose think
COMPUTERS: oppose-nobody

[touch menu_over_removals]
> edit: ask-new_game ask-take_back ask-resign ask-menu
refused table.nothing_to_confirm: ask-confirm
refused table.not_in_menu: touch-free touch-blue touch-to-remove touch-no-choice touch-unknown
    touch-key
START > draw: touch-orange
START COMPUTERS > draw: touch-choice
no such thing: stand-too-big
silent: stand-choice stand-no-choice

[touch menu_masked]
> tap: ask-new_game ask-take_back ask-resign ask-menu
silent: ask-next_cell stand-masked stand-choice stand-no-choice
START COMPUTERS > draw: ask-touch_cell touch-masked touch-choice
refused table.nothing_to_confirm: ask-confirm
refused table.not_in_menu: touch-free touch-orange touch-blue touch-no-choice touch-unknown
    touch-key
START > draw: touch-too-big
+masked: mask-none

[touch menu_disturbed]
> tap: ask-new_game ask-take_back ask-resign ask-menu
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up ask-hint touch-free
    touch-too-big touch-orange touch-blue touch-choice touch-no-choice touch-unknown touch-key
silent: palm stand-choice stand-no-choice
told table.goes_on +disturbed +lost: trouble-mended

[touch menu_from_confirm]
> confirm: ask-new_game ask-take_back ask-resign ask-menu
refused table.nothing_to_confirm: ask-confirm
refused table.not_in_menu: touch-free touch-orange touch-blue touch-no-choice touch-unknown
    touch-key
START > draw: touch-too-big
START COMPUTERS > draw: touch-choice
silent: stand-choice stand-no-choice

[presence any]
refused table.confirm_new +question: ask-new_game
TAKE_BACK > edit: ask-take_back
refused table.confirm_resign +question: ask-resign
refused table.no_cell: ask-next_cell ask-touch_cell
refused table.nothing_to_confirm: ask-confirm
+draft > set_up: ask-set_up
refused table.no_hint: ask-hint
told table.teaching +teaching: ask-teach
> menu: ask-menu
silent: touch-free touch-too-big touch-orange touch-blue hold-free lift-free stand-same
    trouble-mended mask-none kept name-nobody oppose-nobody think-for-a-person think-of-the-past
    think-nonsense think-of-a-hint thinks-again
no such thing: touch-to-remove touch-to-put touch-next-tap touch-chosen touch-same-finger
    touch-beside-finger touch-prey-beside-finger touch-masked touch-wanted touch-choice
    touch-no-choice hold-down hold-chosen lift-down lift-inspected lift-same-finger stand-too-big
    stand-masked stand-one-removed stand-one-put stand-next-tap stand-right stand-wanted
    stand-choice stand-no-choice think
refused circle_of_life.no_such_cell: touch-unknown touch-key
refused table.palm: palm
refused table.one_stone +standing > edit: stand-two-more
refused table.hand_rests +standing > edit: stand-hand
refused table.first_put +standing > edit: stand-slid
+standing > edit: stand-none
TAKE_BACK: stand-restored
+disturbed +lost: trouble
+masked: mask-one-more
+unkept: unkept
NAMES: name-both
refused table.bad_names: name-too-many name-too-long
refused table.not_setting_up: lay-orange lay-blue-on-orange lay-nothing lay-unknown-cell
    lay-unknown-piece pick-blue pick-unknown tally tally-negative tally-too-few tally-nobody
COMPUTERS: oppose oppose-otherwise
START COMPUTERS > draw: oppose-anew
START > draw: oppose-nobody-anew
refused table.bad_computers: oppose-too-many oppose-unknown
+stumped: stumped

[presence draw]
refused table.wait_for_draw: ask-new_game ask-set_up touch-unknown touch-key ask-hint ask-menu
    oppose-anew oppose-nobody-anew
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_resign: ask-resign
no such thing: touch-too-big touch-orange touch-blue stand-one-less stand-slid stand-none
    stand-restored lay-blue-on-orange lay-nothing think-of-the-past
refused table.wait_for_draw +standing: stand-one-more stand-two-more
refused table.hand_rests +standing: stand-hand

[presence draw_disturbed]
refused table.wait_for_draw: ask-new_game ask-set_up ask-menu oppose-anew oppose-nobody-anew
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.paused: ask-next_cell ask-touch_cell ask-confirm touch-free touch-unknown
    touch-key stand-one-more stand-two-more stand-hand ask-hint
no such thing: touch-too-big touch-orange touch-blue stand-one-less stand-slid stand-none
    stand-restored lay-blue-on-orange lay-nothing think-of-the-past
silent: palm
told table.goes_on +disturbed +lost: trouble-mended

[presence before_the_first_move]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
no such thing: touch-too-big touch-orange touch-blue stand-one-less stand-slid stand-none
    stand-restored lay-blue-on-orange lay-nothing think-of-the-past
MOVE EDIT: stand-one-more
+hinting: ask-hint

[presence tap]
MOVE EDIT: stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
+standing > edit: stand-one-less
+hinting: ask-hint

[presence tap_named_and_unkept]
MOVE EDIT: stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
+standing > edit: stand-one-less
silent: unkept
told table.kept_again +unkept: kept
NAMES: name-nobody
+hinting: ask-hint
START NAMES COMPUTERS > draw: oppose-anew
START NAMES > draw: oppose-nobody-anew

[presence tap_and_new_game_is_asked]
START > draw: ask-new_game
+question +draft > set_up: ask-set_up
MOVE EDIT: stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
+standing > edit: stand-one-less
+hinting: ask-hint
+question > menu: ask-menu

[presence tap_and_resigning_is_asked]
RESIGN > over: ask-resign
+question +draft > set_up: ask-set_up
MOVE EDIT: stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
+standing > edit: stand-one-less
+hinting: ask-hint
+question > menu: ask-menu

[presence tap_masked]
silent: ask-next_cell stand-masked
MOVE EDIT: ask-touch_cell touch-masked stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
+standing > edit: stand-one-less
+masked: mask-none
+hinting: ask-hint

[presence tap_and_cells_are_felt_again]
MOVE EDIT: stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
+standing > edit: stand-one-less
+hinting: ask-hint

[presence before_the_board_has_told]
+standing > edit: stand-one-more stand-too-big stand-two-more stand-hand stand-one-less
    stand-slid stand-restored
+hinting: ask-hint

[presence tap_disturbed]
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up touch-free
    touch-too-big touch-orange touch-blue touch-unknown touch-key stand-one-more stand-too-big
    stand-two-more stand-hand stand-slid ask-hint ask-menu
silent: palm stand-one-less stand-none stand-restored
told table.goes_on +disturbed +lost: trouble-mended

[presence toy]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
refused rules.no_set_up: ask-set_up
no such thing: touch-free hold-free lift-free stand-one-more stand-hand stand-slid
    stand-restored mask-one-more lay-orange think-of-the-past
refused rules.not_legal: touch-unknown
MOVE: touch-key
refused rules.not_legal +standing > edit: stand-too-big
+taps: stand-one-less
+hinting: ask-hint

[presence toy_taps_begun]
START > draw: ask-new_game
+standing +taps > edit: ask-take_back stand-none
refused rules.no_set_up: ask-set_up
no such thing: touch-free touch-orange hold-free lift-free stand-one-more stand-hand
    stand-one-less stand-slid stand-restored mask-one-more lay-orange lay-blue-on-orange lay-nothing
    think-of-the-past
silent: touch-next-tap touch-chosen hold-chosen
refused rules.not_legal: touch-unknown touch-key
refused table.first_put +standing +taps > edit: stand-too-big stand-two-more
MOVE EDIT EDIT: stand-next-tap
+taps: stand-right
+taps +disturbed +lost: trouble
+hinting: ask-hint
+standing +taps > menu: ask-menu
COMPUTERS > edit: oppose oppose-otherwise

[presence edit_removals]
TAKE_BACK: ask-take_back
no such thing: touch-too-big
silent: touch-to-remove
refused table.first_take_away: touch-unknown touch-key
refused table.first_take_away +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-none
TAKE_BACK > tap: stand-restored
+standing > tap: stand-right

[presence edit_removals_disturbed]
TAKE_BACK: ask-take_back
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up touch-free
    touch-orange touch-blue touch-to-remove touch-unknown touch-key stand-one-more stand-two-more
    stand-hand stand-slid ask-hint ask-menu
no such thing: touch-too-big
silent: palm stand-one-less stand-one-removed stand-none stand-restored stand-right
told table.goes_on +disturbed +lost: trouble-mended

[presence edit_removal_masked]
TAKE_BACK: ask-take_back
silent: ask-next_cell touch-to-remove
EDIT: ask-touch_cell touch-masked
no such thing: touch-too-big
refused table.first_take_away: touch-unknown touch-key
refused table.first_take_away +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-none stand-right
TAKE_BACK > tap: stand-restored
+masked: mask-none

[presence edit_after_take_back]
TAKE_BACK: ask-take_back
no such thing: touch-too-big
silent: touch-to-remove touch-to-put
refused table.first_take_away: touch-unknown touch-key
refused table.first_take_away +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-one-put stand-none
TAKE_BACK > tap: stand-restored
+standing > tap: stand-right

[presence edit_a_stone_astray]
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
refused table.nothing_to_resign: ask-resign
no such thing: touch-too-big think-for-a-person think-nonsense think-of-a-hint
refused rules.game_over: touch-unknown touch-key
refused rules.game_over +standing: stand-one-more stand-two-more stand-slid stand-restored
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-none

[presence over_removals]
START > draw: ask-new_game
refused table.nothing_to_resign: ask-resign
no such thing: touch-too-big think-for-a-person think-nonsense think-of-a-hint
silent: touch-to-remove
refused rules.game_over: touch-unknown touch-key
refused rules.game_over +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-none stand-restored stand-right

[presence over_by_resignation]
START > draw: ask-new_game
TAKE_BACK > tap: ask-take_back
refused table.nothing_to_resign: ask-resign
refused rules.game_over: touch-unknown touch-key
refused rules.game_over +standing: stand-one-more stand-too-big stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-none stand-restored

[presence over_from_the_set_up]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_resign: ask-resign
no such thing: touch-too-big stand-restored think-for-a-person think-of-the-past think-nonsense
    think-of-a-hint
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
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew

[presence set_up_flawed]
refused circle_of_life.impossible: ask-new_game
+draft > edit: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
silent: touch-unknown touch-key
+standing +draft: stand-one-more stand-too-big stand-two-more stand-hand stand-one-less
    stand-slid stand-none stand-restored lay-blue-on-orange
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew

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
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew

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
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew

[presence set_up_disturbed]
START SET_UP > tap: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
refused table.paused: ask-next_cell ask-touch_cell ask-confirm touch-free touch-too-big
    touch-orange touch-blue touch-unknown touch-key stand-one-more stand-too-big stand-two-more
    stand-hand stand-slid ask-hint
silent: palm stand-one-less stand-none stand-restored
told table.goes_on +disturbed +lost: trouble-mended
+standing +draft: lay-blue-on-orange
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew

[presence set_up_both_have_won]
refused circle_of_life.both_won: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
silent: touch-unknown touch-key
+standing +draft: stand-one-more stand-too-big stand-two-more stand-hand stand-one-less
    stand-slid stand-none stand-restored lay-blue-on-orange
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew

[presence computer_thinks]
no such thing: touch-too-big
refused table.wait_for_computer: touch-unknown touch-key
refused table.wait_for_computer +standing > edit: stand-one-more
TAKE_BACK: stand-one-less
silent: oppose
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
+thought: think

[presence computer_thinks_disturbed]
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up ask-hint ask-menu
    touch-free touch-orange touch-blue touch-unknown touch-key stand-one-more stand-two-more
    stand-hand stand-slid
no such thing: touch-too-big
silent: palm stand-one-less stand-none stand-restored oppose
told table.goes_on +disturbed +lost: trouble-mended
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
+thought: think

[presence computer_thinks_while_stones_are_removed]
TAKE_BACK: ask-take_back
no such thing: touch-too-big
silent: touch-to-remove oppose
refused table.first_take_away: touch-unknown touch-key
refused table.first_take_away +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-none
TAKE_BACK > tap: stand-restored
+standing > tap: stand-right
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
+thought: think

[presence computer_wants]
no such thing: touch-too-big
silent: touch-wanted oppose think
refused table.not_its_move: touch-unknown touch-key
refused table.not_its_move +standing > edit: stand-one-more
TAKE_BACK: stand-one-less
MOVE EDIT: stand-wanted
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew

[presence computer_wants_a_masked_cell]
silent: ask-next_cell stand-masked stand-wanted oppose think
MOVE EDIT: ask-touch_cell touch-masked touch-wanted
no such thing: touch-too-big
refused table.not_its_move: touch-unknown touch-key
refused table.not_its_move +standing > edit: stand-one-more
TAKE_BACK: stand-one-less
+masked: mask-none
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew

[presence computer_wants_and_is_disturbed]
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up ask-hint ask-menu
    touch-free touch-orange touch-blue touch-wanted touch-unknown touch-key stand-one-more
    stand-two-more stand-hand stand-slid stand-wanted
no such thing: touch-too-big
silent: palm stand-one-less stand-none stand-restored oppose think
told table.goes_on +disturbed +lost: trouble-mended
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew

[presence computer_wants_while_stones_are_removed]
TAKE_BACK: ask-take_back
no such thing: touch-too-big
silent: touch-to-remove touch-wanted oppose think
refused table.first_take_away: touch-unknown touch-key
refused table.first_take_away +standing: stand-one-more stand-two-more stand-slid stand-wanted
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-none
TAKE_BACK > tap: stand-restored
+standing > tap: stand-right
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew

[presence computer_is_stumped]
no such thing: touch-too-big
MOVE EDIT > edit: stand-one-more
TAKE_BACK: stand-one-less
silent: oppose stumped
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
+thought +stumped: think
+stumped: thinks-again

[presence computer_is_unknown]
no such thing: touch-too-big
MOVE EDIT > edit: stand-one-more
TAKE_BACK: stand-one-less
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
silent: think

[presence computers_only]
no such thing: touch-too-big
refused table.wait_for_computer: touch-unknown touch-key
refused table.wait_for_computer +standing > edit: stand-one-more
TAKE_BACK: stand-one-less
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
+thought: think

[presence computer_moved_last]
TAKE_BACK TAKE_BACK > edit: ask-take_back
+hinting: ask-hint
MOVE EDIT: stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
+standing > edit: stand-one-less
silent: oppose
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew

[presence toy_computer_wants]
START COMPUTERS > draw: ask-new_game oppose-nobody-anew
refused table.nothing_to_take_back: ask-take_back
refused rules.no_set_up: ask-set_up
no such thing: touch-free hold-free lift-free stand-one-more stand-hand stand-slid
    stand-restored mask-one-more lay-orange think-of-the-past
silent: touch-wanted oppose-otherwise think
refused table.not_its_move: touch-unknown touch-key
refused table.not_its_move +standing > edit: stand-too-big
+taps: stand-one-less
COMPUTERS: oppose-nobody

[presence toy_computer_taps_begun]
START COMPUTERS > draw: ask-new_game oppose-nobody-anew
+standing +taps > edit: ask-take_back stand-none
refused rules.no_set_up: ask-set_up
+standing +taps > menu: ask-menu
no such thing: touch-free touch-orange hold-free lift-free stand-one-more stand-hand
    stand-one-less stand-slid stand-restored mask-one-more lay-orange lay-blue-on-orange lay-nothing
    think-of-the-past
silent: touch-next-tap touch-chosen touch-wanted hold-chosen oppose-otherwise think
refused table.not_its_move: touch-unknown touch-key
refused table.first_put +standing +taps > edit: stand-too-big stand-two-more
MOVE EDIT EDIT: stand-next-tap stand-wanted
+taps: stand-right
+taps +disturbed +lost: trouble
COMPUTERS > edit: oppose oppose-nobody

[presence hinting]
+hinting: ask-hint
MOVE EDIT: stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
+standing > edit: stand-one-less
+hinting +hints: think-of-a-hint
refused fault.link +hinting: stumped

[presence hints]
+hints: ask-hint
MOVE EDIT: stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
+standing > edit: stand-one-less

[presence teaching]
+hinting: ask-hint
told table.not_teaching +teaching: ask-teach
MOVE EDIT: stand-one-more
refused circle_of_life.too_big +standing > edit: stand-too-big
+standing > edit: stand-one-less

[presence menu]
> tap: ask-new_game ask-take_back ask-resign ask-menu
silent: touch-choice touch-no-choice
refused table.not_in_menu: touch-unknown touch-key
refused table.not_in_menu +standing: stand-one-more stand-one-less stand-restored
    stand-no-choice
START > draw: stand-too-big
+standing: stand-two-more stand-hand stand-slid stand-none
START COMPUTERS > draw: stand-choice

[presence menu_opposed]
> tap: ask-new_game ask-take_back ask-resign ask-menu
no such thing: touch-too-big
silent: touch-wanted touch-choice touch-no-choice oppose think
refused table.not_in_menu: touch-unknown touch-key
START COMPUTERS > draw: stand-one-more stand-one-less stand-restored stand-wanted stand-choice
    oppose-nobody-anew
+standing: stand-two-more stand-hand stand-slid stand-none
refused table.not_in_menu +standing: stand-no-choice
COMPUTERS: oppose-nobody

[presence menu_over_removals]
> edit: ask-new_game ask-take_back ask-resign ask-menu
no such thing: touch-too-big
silent: touch-to-remove touch-choice touch-no-choice
refused table.not_in_menu: touch-unknown touch-key
refused table.not_in_menu +standing: stand-one-more stand-one-removed stand-restored
    stand-no-choice
+standing: stand-two-more stand-hand stand-slid stand-none stand-right
START > draw: stand-one-less
START COMPUTERS > draw: stand-choice

[presence menu_masked]
> tap: ask-new_game ask-take_back ask-resign ask-menu
silent: ask-next_cell touch-choice touch-no-choice stand-masked
START COMPUTERS > draw: ask-touch_cell touch-masked stand-choice
refused table.not_in_menu: touch-unknown touch-key
refused table.not_in_menu +standing: stand-one-more stand-one-less stand-restored
    stand-no-choice
START > draw: stand-too-big
+standing: stand-two-more stand-hand stand-slid stand-none
+masked: mask-none

[presence menu_disturbed]
> tap: ask-new_game ask-take_back ask-resign ask-menu
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up ask-hint touch-free
    touch-too-big touch-orange touch-blue touch-choice touch-no-choice touch-unknown touch-key
    stand-one-more stand-too-big stand-two-more stand-hand stand-slid stand-choice stand-no-choice
silent: palm stand-one-less stand-none stand-restored
told table.goes_on +disturbed +lost: trouble-mended
"""
