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
    stand-wanted stand-choice stand-no-choice think touch-next-key touch-other-key touch-pressed-key
    touch-turned-key touch-turned-cell stand-chosen-again stand-ring-turned stand-ring-turned-by-two
+down: touch-orange touch-blue
refused table.no_key: touch-unknown touch-key
silent: hold-free lift-free stand-same stand-one-more stand-too-big stand-two-more stand-hand
    stand-restored stand-right trouble-mended mask-none kept name-nobody oppose-nobody seat-nobody
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
+seated: seat-green seat-both
refused table.no_agreed_draws: ask-draw
refused table.nothing_to_arrange: arrange-green arrange-mauve arrange-wrongly arrange-anew
    arrange-nobody

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
no such thing: touch-free hold-free lift-free stand-one-more stand-hand stand-restored mask-one-more
    lay-orange think-of-the-past
refused rules.not_legal: touch-too-big
+taps: touch-orange
MOVE: touch-key touch-next-key
+hinting: ask-hint
refused table.nothing_to_teach: ask-teach

[touch toy_taps_begun]
START > draw: ask-new_game
+taps: ask-take_back
+taps > confirm: ask-confirm
refused rules.no_set_up: ask-set_up
no such thing: touch-free touch-orange hold-free lift-free stand-one-more stand-hand stand-restored
    mask-one-more lay-orange lay-blue-on-orange lay-nothing think-of-the-past
refused rules.not_legal: touch-too-big touch-key touch-other-key
MOVE EDIT EDIT: touch-next-tap
+down: touch-chosen
+taps +inspecting: hold-chosen
silent: stand-next-tap stand-chosen-again
+taps +disturbed +lost: trouble
+hinting: ask-hint
+taps > menu: ask-menu
refused table.nothing_to_teach: ask-teach

[touch edit_removals]
TAKE_BACK: ask-take_back
refused table.first_take_away: touch-free
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
refused table.first_take_away: touch-free
no such thing: stand-too-big
+masked: mask-none

[touch edit_and_a_finger_has_just_left]
TAKE_BACK: ask-take_back
refused table.first_take_away: touch-free touch-beside-finger
no such thing: stand-too-big
EDIT > tap: touch-to-remove
silent: touch-same-finger lift-same-finger

[touch edit_and_the_finger_that_ate_is_down]
TAKE_BACK: ask-take_back
refused table.first_take_away: touch-free touch-beside-finger
no such thing: stand-too-big
refused table.slid_off: touch-to-remove touch-prey-beside-finger
+down +echoes: touch-same-finger
silent: lift-same-finger

[touch edit_after_take_back]
TAKE_BACK: ask-take_back
refused table.first_take_away: touch-free
no such thing: stand-too-big
EDIT: touch-to-remove touch-to-put
silent: stand-one-put

[touch over_by_score]
START > draw: ask-new_game
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_confirm: ask-confirm
refused rules.game_over: touch-free
no such thing: stand-too-big think-for-a-person think-nonsense think-of-a-hint

[touch over_removals]
START > draw: ask-new_game
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_confirm: ask-confirm
refused rules.game_over: touch-free
no such thing: stand-too-big think-for-a-person think-nonsense think-of-a-hint
EDIT: touch-to-remove

[touch over_by_resignation]
START > draw: ask-new_game
TAKE_BACK > tap: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_confirm: ask-confirm
refused rules.game_over: touch-free touch-too-big

[touch over_from_the_set_up]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_confirm: ask-confirm
refused rules.game_over: touch-free
no such thing: stand-too-big stand-restored think-for-a-person think-of-the-past think-nonsense
    think-of-a-hint

[touch confirm]
refused table.confirm_first: ask-take_back ask-resign ask-hint ask-draw
> tap: ask-touch_cell ask-confirm touch-free touch-too-big touch-orange touch-blue touch-unknown
    touch-key

[touch confirm_removals]
refused table.confirm_first: ask-take_back ask-resign ask-hint ask-draw
> edit: ask-touch_cell ask-confirm touch-free touch-orange touch-blue touch-unknown touch-key
no such thing: stand-too-big
EDIT > edit: touch-to-remove

[touch confirm_disturbed]
refused table.confirm_first: ask-take_back ask-resign ask-draw
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up touch-free touch-too-big
    touch-orange touch-blue touch-unknown touch-key ask-hint ask-menu
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
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew ask-draw

[touch set_up_flawed]
refused circle_of_life.impossible: ask-new_game
STANDS > edit: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
refused table.nothing_to_confirm: ask-confirm
+standing +draft: touch-free touch-too-big touch-orange touch-blue
silent: touch-unknown touch-key
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew ask-draw

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
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew ask-draw

[touch set_up_and_a_finger_has_just_left]
START SET_UP > tap: ask-new_game
STANDS > edit: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
refused table.nothing_to_confirm: ask-confirm
+standing +draft: touch-free touch-too-big touch-orange touch-blue touch-beside-finger
silent: touch-same-finger touch-unknown touch-key lift-same-finger
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew ask-draw

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
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew ask-draw

[touch set_up_disturbed]
START SET_UP > tap: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
refused table.paused: ask-next_cell ask-touch_cell ask-confirm touch-free touch-too-big touch-orange
    touch-blue touch-unknown touch-key ask-hint
silent: palm
told table.goes_on +disturbed +lost: trouble-mended
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew ask-draw

[touch set_up_both_have_won]
refused circle_of_life.both_won: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-blue-on-orange lay-nothing pick-blue tally
refused table.nothing_to_confirm: ask-confirm
+standing +draft: touch-free touch-too-big touch-orange touch-blue
silent: touch-unknown touch-key
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew ask-draw

[touch computer_thinks]
refused table.wait_for_computer: touch-free
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
refused table.first_take_away: touch-free
EDIT: touch-to-remove
no such thing: stand-too-big
silent: oppose
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
+thought: think

[touch computer_wants]
refused table.not_its_move: touch-free
MOVE EDIT: touch-wanted
no such thing: stand-too-big
silent: stand-wanted oppose think
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew

[touch computer_wants_a_masked_cell]
silent: ask-next_cell stand-masked stand-wanted oppose think
MOVE EDIT: ask-touch_cell touch-masked touch-wanted
refused table.not_its_move: touch-free
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
refused table.first_take_away: touch-free touch-wanted
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
refused table.wait_for_computer: touch-free
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
no such thing: touch-free hold-free lift-free stand-one-more stand-hand stand-restored mask-one-more
    lay-orange think-of-the-past
refused table.not_its_move: touch-too-big
+taps: touch-orange touch-wanted
silent: stand-wanted oppose-otherwise think
COMPUTERS: oppose-nobody
refused table.nothing_to_teach: ask-teach
refused table.not_its_key: touch-key touch-next-key

[touch toy_computer_taps_begun]
START COMPUTERS > draw: ask-new_game oppose-nobody-anew
+taps: ask-take_back
+taps > confirm: ask-confirm
refused rules.no_set_up: ask-set_up
+taps > menu: ask-menu
no such thing: touch-free touch-orange hold-free lift-free stand-one-more stand-hand stand-restored
    mask-one-more lay-orange lay-blue-on-orange lay-nothing think-of-the-past
refused table.not_its_move: touch-too-big
MOVE EDIT EDIT: touch-next-tap touch-wanted
+down: touch-chosen
+taps +inspecting: hold-chosen
silent: stand-next-tap stand-wanted oppose-otherwise think stand-chosen-again
+taps +disturbed +lost: trouble
COMPUTERS: oppose-nobody
refused table.nothing_to_teach: ask-teach
refused table.not_its_key: touch-key touch-other-key

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
> tap: ask-new_game ask-take_back ask-resign ask-menu ask-draw
refused table.nothing_to_confirm: ask-confirm
refused table.not_in_menu: touch-free touch-orange touch-blue touch-no-choice touch-unknown
    touch-key
START > draw: touch-too-big
START COMPUTERS > draw: touch-choice
silent: stand-choice stand-no-choice

[touch menu_opposed]
> tap: ask-new_game ask-take_back ask-resign ask-menu ask-draw
refused table.nothing_to_confirm: ask-confirm
START COMPUTERS > draw: touch-free touch-orange touch-wanted touch-choice oppose-nobody-anew
refused table.not_in_menu: touch-blue touch-no-choice touch-unknown touch-key
no such thing: stand-too-big
silent: stand-wanted stand-choice stand-no-choice oppose think
COMPUTERS: oppose-nobody

[touch menu_over_removals]
> edit: ask-new_game ask-take_back ask-resign ask-menu ask-draw
refused table.nothing_to_confirm: ask-confirm
refused table.not_in_menu: touch-free touch-blue touch-to-remove touch-no-choice touch-unknown
    touch-key
START > draw: touch-orange
START COMPUTERS > draw: touch-choice
no such thing: stand-too-big
silent: stand-choice stand-no-choice

[touch menu_masked]
> tap: ask-new_game ask-take_back ask-resign ask-menu ask-draw
silent: ask-next_cell stand-masked stand-choice stand-no-choice
START COMPUTERS > draw: ask-touch_cell touch-masked touch-choice
refused table.nothing_to_confirm: ask-confirm
refused table.not_in_menu: touch-free touch-orange touch-blue touch-no-choice touch-unknown
    touch-key
START > draw: touch-too-big
+masked: mask-none

[touch menu_disturbed]
> tap: ask-new_game ask-take_back ask-resign ask-menu ask-draw
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up ask-hint touch-free
    touch-too-big touch-orange touch-blue touch-choice touch-no-choice touch-unknown touch-key
silent: palm stand-choice stand-no-choice
told table.goes_on +disturbed +lost: trouble-mended

[touch menu_from_confirm]
> confirm: ask-new_game ask-take_back ask-resign ask-menu ask-draw
refused table.nothing_to_confirm: ask-confirm
refused table.not_in_menu: touch-free touch-orange touch-blue touch-no-choice touch-unknown
    touch-key
START > draw: touch-too-big
START COMPUTERS > draw: touch-choice
silent: stand-choice stand-no-choice

[touch disc]
refused table.confirm_draw +question: ask-draw
+hinting: ask-hint
MOVE EDIT: touch-free touch-next-key
no such thing: stand-too-big
refused table.nothing_to_teach: ask-teach

[touch disc_ring_turned]
refused table.confirm_draw +question: ask-draw
+hinting: ask-hint
MOVE EDIT: touch-free touch-next-key touch-turned-key touch-turned-cell
no such thing: stand-too-big
refused table.nothing_to_teach: ask-teach

[touch disc_ring_turned_long_ago]
refused table.confirm_draw +question: ask-draw
+hinting: ask-hint
MOVE EDIT: touch-free touch-next-key
no such thing: stand-too-big
refused table.nothing_to_teach: ask-teach

[touch disc_ring_to_turn_back]
TAKE_BACK: ask-take_back
refused table.confirm_draw +question: ask-draw
EDIT > tap: touch-free touch-next-key touch-turned-key touch-turned-cell
no such thing: touch-orange stand-too-big lay-blue-on-orange lay-nothing
refused table.nothing_to_teach: ask-teach

[touch disc_a_key_has_just_been_pressed]
refused table.confirm_draw +question: ask-draw
+hinting: ask-hint
MOVE EDIT: touch-free touch-next-key
silent: touch-same-finger touch-pressed-key lift-same-finger
no such thing: stand-too-big
refused table.nothing_to_teach: ask-teach

[touch disc_turn_by_two_begun]
+taps: ask-take_back
refused table.confirm_draw +question: ask-draw
+taps > confirm: ask-confirm
+taps +draft > set_up: ask-set_up
+hinting: ask-hint
+taps > menu: ask-menu
refused rules.not_legal: touch-free touch-chosen
MOVE EDIT: touch-next-key
silent: hold-chosen
no such thing: stand-too-big
+taps +disturbed +lost: trouble
refused table.nothing_to_teach: ask-teach

[touch disc_second_decision]
refused table.confirm_draw +question: ask-draw
+hinting: ask-hint
MOVE EDIT: touch-free
MOVE: touch-next-key
no such thing: stand-too-big
refused table.nothing_to_teach: ask-teach

[touch disc_exchange]
TAKE_BACK: ask-take_back
refused table.confirm_draw +question: ask-draw
refused table.first_put: touch-free
refused table.first_put_right: touch-next-key
no such thing: stand-too-big stand-hand
refused table.nothing_to_teach: ask-teach

[touch disc_round_over]
refused table.confirm_first: ask-resign ask-draw ask-hint
EDIT EDIT EDIT EDIT EDIT EDIT > tap: ask-touch_cell ask-confirm touch-free touch-unknown touch-key
    touch-next-key
no such thing: touch-orange touch-blue stand-too-big stand-hand stand-right lay-blue-on-orange
    lay-nothing
EDIT: touch-to-remove
refused table.nothing_to_teach: ask-teach

[touch disc_laid_out_anew]
refused table.confirm_first: ask-resign ask-draw ask-hint
EDIT EDIT EDIT EDIT EDIT EDIT EDIT EDIT EDIT > tap: ask-touch_cell ask-confirm touch-free
    touch-unknown touch-key touch-next-key
no such thing: touch-orange touch-blue stand-too-big lay-blue-on-orange lay-nothing
EDIT: touch-to-put
silent: stand-one-put
refused table.nothing_to_teach: ask-teach

[touch disc_draw_is_asked]
DRAW > over: ask-draw
+question > confirm: ask-confirm
+question +draft > set_up: ask-set_up
+hinting: ask-hint
+question > menu: ask-menu
MOVE EDIT: touch-free touch-next-key
no such thing: stand-too-big
refused table.nothing_to_teach: ask-teach

[touch disc_agreed_on_a_draw]
START > draw: ask-new_game
TAKE_BACK > tap: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_draw: ask-draw
refused table.nothing_to_confirm: ask-confirm
refused rules.game_over: touch-free touch-next-key
no such thing: stand-too-big
refused table.nothing_to_teach: ask-teach

[touch disc_computer_wants_a_turn]
refused table.no_draw_with_computer: ask-draw
refused table.not_its_move: touch-free
+taps: touch-wanted
no such thing: stand-too-big
silent: oppose-otherwise think
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
refused table.nothing_to_teach: ask-teach
refused table.not_its_key: touch-next-key

[touch limbs]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
+hinting: ask-hint
MOVE EDIT: touch-free
refused rules.not_legal: touch-too-big touch-other-key
no such thing: touch-orange touch-blue stand-restored lay-blue-on-orange lay-nothing
    think-of-the-past
refused table.nothing_to_teach: ask-teach

[touch limbs_body_chosen]
START > draw: ask-new_game
+taps: ask-take_back touch-free touch-next-tap
+taps > confirm: ask-confirm
+taps +draft > set_up: ask-set_up
+hinting: ask-hint
+taps > menu: ask-menu
refused rules.not_legal: touch-too-big
no such thing: touch-orange touch-blue stand-restored lay-blue-on-orange lay-nothing
    think-of-the-past
+down: touch-chosen
MOVE EDIT: touch-next-key
+taps +inspecting: hold-chosen
silent: stand-next-tap stand-chosen-again
+taps +disturbed +lost: trouble
refused table.nothing_to_teach: ask-teach

[touch limbs_moved]
START > draw: ask-new_game
+taps: ask-take_back
+taps > confirm: ask-confirm
+taps +draft > set_up: ask-set_up
+hinting: ask-hint
+taps > menu: ask-menu
MOVE EDIT EDIT EDIT: touch-free touch-too-big touch-next-tap
no such thing: touch-orange touch-blue stand-restored lay-blue-on-orange lay-nothing
    think-of-the-past
MOVE EDIT: touch-chosen
refused rules.not_legal: touch-other-key
silent: hold-chosen stand-next-tap stand-chosen-again
+taps +disturbed +lost: trouble
refused table.nothing_to_teach: ask-teach

[touch limbs_key_next]
START > draw: ask-new_game
+taps: ask-take_back
+taps > confirm: ask-confirm
+taps +draft > set_up: ask-set_up
+hinting: ask-hint
+taps > menu: ask-menu
refused rules.not_legal: touch-free touch-too-big
no such thing: touch-orange touch-blue stand-restored lay-blue-on-orange lay-nothing
    think-of-the-past
+down: touch-chosen
MOVE EDIT EDIT: touch-next-key
silent: hold-chosen stand-chosen-again
+taps +disturbed +lost: trouble
refused table.nothing_to_teach: ask-teach

[touch limbs_taken]
TAKE_BACK: ask-take_back
refused table.first_put: touch-free touch-too-big
no such thing: touch-orange touch-blue stand-hand lay-blue-on-orange lay-nothing
refused table.first_put_right: touch-other-key
refused table.nothing_to_teach: ask-teach

[touch limbs_computer_wants_a_limb]
START COMPUTERS > draw: ask-new_game oppose-nobody-anew
+taps: ask-take_back
+taps > confirm: ask-confirm
+taps +draft > set_up: ask-set_up
+taps > menu: ask-menu
refused table.not_its_move: touch-free touch-too-big touch-next-tap
no such thing: touch-orange touch-blue stand-restored lay-blue-on-orange lay-nothing
    think-of-the-past
+down: touch-chosen
MOVE EDIT: touch-wanted touch-next-key
+taps +inspecting: hold-chosen
silent: stand-next-tap stand-chosen-again oppose-otherwise think
+taps +disturbed +lost: trouble
COMPUTERS: oppose-nobody
refused table.nothing_to_teach: ask-teach

[touch trio_resigning_is_asked]
RESIGN > over: ask-resign
+question > confirm: ask-confirm
+question +draft > set_up: ask-set_up
+hinting: ask-hint
+question > menu: ask-menu
MOVE EDIT: touch-free touch-next-key
no such thing: touch-blue stand-too-big
refused table.bad_names: name-both name-nobody
NAMES: name-too-many
refused table.bad_computers: oppose oppose-otherwise oppose-nobody oppose-anew oppose-nobody-anew
COMPUTERS: oppose-too-many
refused table.nothing_to_teach: ask-teach

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
    trouble-mended mask-none kept name-nobody oppose-nobody seat-nobody think-for-a-person
    think-of-the-past think-nonsense think-of-a-hint thinks-again
no such thing: touch-to-remove touch-to-put touch-next-tap touch-chosen touch-same-finger
    touch-beside-finger touch-prey-beside-finger touch-masked touch-wanted touch-choice
    touch-no-choice hold-down hold-chosen lift-down lift-inspected lift-same-finger stand-too-big
    stand-masked stand-one-removed stand-one-put stand-next-tap stand-right stand-wanted
    stand-choice stand-no-choice think touch-next-key touch-other-key touch-pressed-key
    touch-turned-key touch-turned-cell stand-chosen-again stand-ring-turned stand-ring-turned-by-two
refused table.no_key: touch-unknown touch-key
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
+seated: seat-green seat-both
refused table.no_agreed_draws: ask-draw
refused table.nothing_to_arrange: arrange-green arrange-mauve arrange-wrongly arrange-anew
    arrange-nobody

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
refused table.paused: ask-next_cell ask-touch_cell ask-confirm touch-free touch-unknown touch-key
    stand-one-more stand-two-more stand-hand ask-hint
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
+standing > edit: stand-one-more stand-too-big stand-two-more stand-hand stand-one-less stand-slid
    stand-restored
+hinting: ask-hint

[presence tap_disturbed]
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up touch-free touch-too-big
    touch-orange touch-blue touch-unknown touch-key stand-one-more stand-too-big stand-two-more
    stand-hand stand-slid ask-hint ask-menu
silent: palm stand-one-less stand-none stand-restored
told table.goes_on +disturbed +lost: trouble-mended

[presence toy]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
refused rules.no_set_up: ask-set_up
no such thing: touch-free hold-free lift-free stand-one-more stand-hand stand-slid stand-restored
    mask-one-more lay-orange think-of-the-past
MOVE: touch-key touch-next-key
refused rules.not_legal +standing > edit: stand-too-big
+taps: stand-one-less
+hinting: ask-hint
refused table.nothing_to_teach: ask-teach

[presence toy_taps_begun]
START > draw: ask-new_game
+standing +taps > edit: ask-take_back stand-none
refused rules.no_set_up: ask-set_up
no such thing: touch-free touch-orange hold-free lift-free stand-one-more stand-hand stand-one-less
    stand-slid stand-restored mask-one-more lay-orange lay-blue-on-orange lay-nothing
    think-of-the-past
silent: touch-next-tap touch-chosen hold-chosen
refused rules.not_legal: touch-key touch-other-key
refused table.first_put +standing +taps > edit: stand-too-big stand-two-more
MOVE EDIT EDIT: stand-next-tap
+taps: stand-right stand-chosen-again
+taps +disturbed +lost: trouble
+hinting: ask-hint
+standing +taps > menu: ask-menu
COMPUTERS > edit: oppose oppose-otherwise
refused table.nothing_to_teach: ask-teach

[presence edit_removals]
TAKE_BACK: ask-take_back
no such thing: touch-too-big
silent: touch-to-remove
refused table.first_take_away +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-none
TAKE_BACK > tap: stand-restored
+standing > tap: stand-right

[presence edit_removals_disturbed]
TAKE_BACK: ask-take_back
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up touch-free touch-orange
    touch-blue touch-to-remove touch-unknown touch-key stand-one-more stand-two-more stand-hand
    stand-slid ask-hint ask-menu
no such thing: touch-too-big
silent: palm stand-one-less stand-one-removed stand-none stand-restored stand-right
told table.goes_on +disturbed +lost: trouble-mended

[presence edit_removal_masked]
TAKE_BACK: ask-take_back
silent: ask-next_cell touch-to-remove
EDIT: ask-touch_cell touch-masked
no such thing: touch-too-big
refused table.first_take_away +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-none stand-right
TAKE_BACK > tap: stand-restored
+masked: mask-none

[presence edit_after_take_back]
TAKE_BACK: ask-take_back
no such thing: touch-too-big
silent: touch-to-remove touch-to-put
refused table.first_take_away +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-one-put stand-none
TAKE_BACK > tap: stand-restored
+standing > tap: stand-right

[presence edit_a_stone_astray]
TAKE_BACK: ask-take_back
+standing +draft > set_up: ask-set_up
silent: touch-to-remove
refused table.first_take_away +standing: stand-one-more stand-too-big stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-none
+standing > tap: stand-one-removed stand-right
TAKE_BACK > tap: stand-restored

[presence over_by_score]
START > draw: ask-new_game
refused table.nothing_to_resign: ask-resign
no such thing: touch-too-big think-for-a-person think-nonsense think-of-a-hint
refused rules.game_over +standing: stand-one-more stand-two-more stand-slid stand-restored
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-none

[presence over_removals]
START > draw: ask-new_game
refused table.nothing_to_resign: ask-resign
no such thing: touch-too-big think-for-a-person think-nonsense think-of-a-hint
silent: touch-to-remove
refused rules.game_over +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-none stand-restored stand-right

[presence over_by_resignation]
START > draw: ask-new_game
TAKE_BACK > tap: ask-take_back
refused table.nothing_to_resign: ask-resign
refused rules.game_over +standing: stand-one-more stand-too-big stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-none stand-restored

[presence over_from_the_set_up]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_resign: ask-resign
no such thing: touch-too-big stand-restored think-for-a-person think-of-the-past think-nonsense
    think-of-a-hint
refused rules.game_over +standing: stand-one-more stand-two-more stand-slid
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-none

[presence set_up]
START SET_UP > tap: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
silent: touch-unknown touch-key
+standing +draft: stand-one-more stand-too-big stand-two-more stand-hand stand-one-less stand-slid
    stand-none stand-restored lay-blue-on-orange
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew ask-draw

[presence set_up_flawed]
refused circle_of_life.impossible: ask-new_game
+draft > edit: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
silent: touch-unknown touch-key
+standing +draft: stand-one-more stand-too-big stand-two-more stand-hand stand-one-less stand-slid
    stand-none stand-restored lay-blue-on-orange
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew ask-draw

[presence set_up_by_the_page]
START SET_UP > edit: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
silent: touch-to-remove touch-to-put touch-unknown touch-key
+standing +draft: stand-one-more stand-too-big stand-two-more stand-hand stand-one-less stand-slid
    stand-none stand-restored lay-blue-on-orange
+standing: stand-one-removed stand-one-put stand-right
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew ask-draw

[presence set_up_masked]
START SET_UP > tap: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
silent: ask-next_cell touch-unknown touch-key stand-masked
+standing +draft: ask-touch_cell touch-masked stand-one-more stand-too-big stand-two-more stand-hand
    stand-one-less stand-slid stand-none stand-restored lay-blue-on-orange
+masked: mask-none
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew ask-draw

[presence set_up_disturbed]
START SET_UP > tap: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
refused table.paused: ask-next_cell ask-touch_cell ask-confirm touch-free touch-too-big touch-orange
    touch-blue touch-unknown touch-key stand-one-more stand-too-big stand-two-more stand-hand
    stand-slid ask-hint
silent: palm stand-one-less stand-none stand-restored
told table.goes_on +disturbed +lost: trouble-mended
+standing +draft: lay-blue-on-orange
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew ask-draw

[presence set_up_both_have_won]
refused circle_of_life.both_won: ask-new_game
+draft > tap: ask-take_back
+draft: ask-resign ask-set_up lay-orange lay-nothing pick-blue tally
silent: touch-unknown touch-key
+standing +draft: stand-one-more stand-too-big stand-two-more stand-hand stand-one-less stand-slid
    stand-none stand-restored lay-blue-on-orange
refused table.cannot_lay: lay-unknown-cell lay-unknown-piece pick-unknown
refused table.cannot_tally: tally-negative tally-too-few tally-nobody
refused table.setting_up_first: ask-menu oppose-anew oppose-nobody-anew ask-draw

[presence computer_thinks]
no such thing: touch-too-big
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
refused table.not_its_move +standing > edit: stand-one-more
TAKE_BACK: stand-one-less
MOVE EDIT: stand-wanted
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew

[presence computer_wants_a_masked_cell]
silent: ask-next_cell stand-masked stand-wanted oppose think
MOVE EDIT: ask-touch_cell touch-masked touch-wanted
no such thing: touch-too-big
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
no such thing: touch-free hold-free lift-free stand-one-more stand-hand stand-slid stand-restored
    mask-one-more lay-orange think-of-the-past
silent: touch-wanted oppose-otherwise think
refused table.not_its_move +standing > edit: stand-too-big
+taps: stand-one-less
COMPUTERS: oppose-nobody
refused table.nothing_to_teach: ask-teach
refused table.not_its_key: touch-key touch-next-key

[presence toy_computer_taps_begun]
START COMPUTERS > draw: ask-new_game oppose-nobody-anew
+standing +taps > edit: ask-take_back stand-none
refused rules.no_set_up: ask-set_up
+standing +taps > menu: ask-menu
no such thing: touch-free touch-orange hold-free lift-free stand-one-more stand-hand stand-one-less
    stand-slid stand-restored mask-one-more lay-orange lay-blue-on-orange lay-nothing
    think-of-the-past
silent: touch-next-tap touch-chosen touch-wanted hold-chosen oppose-otherwise think
refused table.first_put +standing +taps > edit: stand-too-big stand-two-more
MOVE EDIT EDIT: stand-next-tap stand-wanted
+taps: stand-right stand-chosen-again
+taps +disturbed +lost: trouble
COMPUTERS > edit: oppose oppose-nobody
refused table.nothing_to_teach: ask-teach
refused table.not_its_key: touch-key touch-other-key

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
> tap: ask-new_game ask-take_back ask-resign ask-menu ask-draw
silent: touch-choice touch-no-choice
refused table.not_in_menu: touch-unknown touch-key
refused table.not_in_menu +standing: stand-one-more stand-one-less stand-restored stand-no-choice
START > draw: stand-too-big
+standing: stand-two-more stand-hand stand-slid stand-none
START COMPUTERS > draw: stand-choice

[presence menu_opposed]
> tap: ask-new_game ask-take_back ask-resign ask-menu ask-draw
no such thing: touch-too-big
silent: touch-wanted touch-choice touch-no-choice oppose think
refused table.not_in_menu: touch-unknown touch-key
START COMPUTERS > draw: stand-one-more stand-one-less stand-restored stand-wanted stand-choice
    oppose-nobody-anew
+standing: stand-two-more stand-hand stand-slid stand-none
refused table.not_in_menu +standing: stand-no-choice
COMPUTERS: oppose-nobody

[presence menu_over_removals]
> edit: ask-new_game ask-take_back ask-resign ask-menu ask-draw
no such thing: touch-too-big
silent: touch-to-remove touch-choice touch-no-choice
refused table.not_in_menu: touch-unknown touch-key
refused table.not_in_menu +standing: stand-one-more stand-one-removed stand-restored stand-no-choice
+standing: stand-two-more stand-hand stand-slid stand-none stand-right
START > draw: stand-one-less
START COMPUTERS > draw: stand-choice

[presence menu_masked]
> tap: ask-new_game ask-take_back ask-resign ask-menu ask-draw
silent: ask-next_cell touch-choice touch-no-choice stand-masked
START COMPUTERS > draw: ask-touch_cell touch-masked stand-choice
refused table.not_in_menu: touch-unknown touch-key
refused table.not_in_menu +standing: stand-one-more stand-one-less stand-restored stand-no-choice
START > draw: stand-too-big
+standing: stand-two-more stand-hand stand-slid stand-none
+masked: mask-none

[presence menu_disturbed]
> tap: ask-new_game ask-take_back ask-resign ask-menu ask-draw
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-set_up ask-hint touch-free
    touch-too-big touch-orange touch-blue touch-choice touch-no-choice touch-unknown touch-key
    stand-one-more stand-too-big stand-two-more stand-hand stand-slid stand-choice stand-no-choice
silent: palm stand-one-less stand-none stand-restored
told table.goes_on +disturbed +lost: trouble-mended

[presence disc]
refused table.confirm_draw +question: ask-draw
+hinting: ask-hint
no such thing: touch-too-big
MOVE EDIT > edit: touch-next-key
MOVE EDIT: stand-one-more
+standing > edit: stand-one-less
refused table.press_for_it +standing > edit: stand-slid stand-ring-turned stand-ring-turned-by-two
TAKE_BACK TAKE_BACK: stand-none
refused table.nothing_to_teach: ask-teach

[presence disc_ring_turned]
refused table.confirm_draw +question: ask-draw
no such thing: touch-too-big touch-orange stand-one-less stand-slid lay-blue-on-orange lay-nothing
silent: touch-to-remove touch-to-put touch-turned-cell stand-restored
refused table.first_put_right: touch-next-key touch-turned-key
refused table.first_take_away +standing: stand-one-more stand-two-more
refused table.hand_rests +standing: stand-hand
+standing: stand-one-removed stand-one-put
+standing > tap: stand-ring-turned stand-right
refused table.first_put +standing: stand-ring-turned-by-two
refused table.nothing_to_teach: ask-teach
TAKE_BACK EDIT > tap: ask-take_back
TAKE_BACK EDIT TAKE_BACK TAKE_BACK > tap: stand-none

[presence disc_ring_turned_long_ago]
refused table.confirm_draw +question: ask-draw
+travel +draft > set_up: ask-set_up
no such thing: touch-too-big touch-orange stand-one-less stand-slid lay-blue-on-orange lay-nothing
silent: touch-to-remove touch-to-put touch-turned-cell stand-restored
refused table.first_put_right: touch-next-key touch-turned-key
refused table.first_take_away +standing: stand-one-more stand-two-more
refused table.hand_rests +standing: stand-hand
+standing: stand-one-removed stand-one-put
+standing +travel > tap: stand-ring-turned stand-right
refused table.first_put +standing: stand-ring-turned-by-two
refused table.nothing_to_teach: ask-teach
TAKE_BACK EDIT > tap: ask-take_back
TAKE_BACK EDIT TAKE_BACK TAKE_BACK > tap: stand-none

[presence disc_ring_to_turn_back]
TAKE_BACK: ask-take_back
refused table.confirm_draw +question: ask-draw
+standing +draft > set_up: ask-set_up
no such thing: touch-too-big touch-orange stand-one-less stand-slid lay-blue-on-orange lay-nothing
silent: touch-to-remove touch-to-put touch-turned-cell
MOVE EDIT > tap: touch-next-key touch-turned-key
refused table.first_take_away +standing: stand-one-more stand-two-more
refused table.hand_rests +standing: stand-hand
+standing: stand-one-removed stand-one-put
refused table.first_put +standing: stand-ring-turned stand-ring-turned-by-two
TAKE_BACK TAKE_BACK > tap: stand-none
TAKE_BACK > tap: stand-restored
+standing > tap: stand-right
refused table.nothing_to_teach: ask-teach

[presence disc_a_key_has_just_been_pressed]
refused table.confirm_draw +question: ask-draw
no such thing: touch-too-big touch-blue
silent: touch-to-remove touch-to-put touch-same-finger touch-pressed-key lift-same-finger
    stand-restored
refused table.first_put_right: touch-next-key
refused table.first_take_away +standing: stand-one-more stand-two-more stand-slid stand-ring-turned
    stand-ring-turned-by-two
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-one-put
+standing > tap: stand-right
refused table.nothing_to_teach: ask-teach
TAKE_BACK EDIT > tap: ask-take_back
TAKE_BACK EDIT TAKE_BACK TAKE_BACK > tap: stand-none

[presence disc_turn_by_two_begun]
+taps: ask-take_back
refused table.confirm_draw +question: ask-draw
+taps +draft > set_up: ask-set_up
+hinting: ask-hint
+taps > menu: ask-menu
no such thing: touch-too-big
refused rules.not_legal: touch-chosen
MOVE EDIT > edit: touch-next-key
silent: hold-chosen stand-two-more stand-hand stand-one-less stand-slid stand-ring-turned
    stand-ring-turned-by-two stand-none stand-restored
MOVE EDIT: stand-one-more
+taps +disturbed +lost: trouble
refused table.nothing_to_teach: ask-teach

[presence disc_second_decision]
refused table.confirm_draw +question: ask-draw
+hinting: ask-hint
no such thing: touch-too-big
MOVE: touch-next-key
MOVE EDIT: stand-one-more
+standing > edit: stand-one-less
refused table.first_put +standing > edit: stand-ring-turned stand-ring-turned-by-two
TAKE_BACK TAKE_BACK TAKE_BACK: stand-none
refused table.nothing_to_teach: ask-teach

[presence disc_exchange]
TAKE_BACK: ask-take_back
refused table.confirm_draw +question: ask-draw
no such thing: touch-too-big stand-hand
refused table.first_put_right: touch-next-key
refused table.first_put +standing: stand-one-more stand-two-more stand-slid
+standing: stand-one-less
refused table.press_for_it +standing: stand-ring-turned stand-ring-turned-by-two
TAKE_BACK TAKE_BACK TAKE_BACK TAKE_BACK > tap: stand-none
TAKE_BACK > tap: stand-restored
refused table.nothing_to_teach: ask-teach

[presence disc_round_over]
TAKE_BACK: ask-take_back
refused table.confirm_draw +question: ask-draw
+standing +draft > set_up: ask-set_up
no such thing: touch-too-big touch-orange touch-blue stand-hand stand-one-less stand-slid
    lay-blue-on-orange lay-nothing
silent: touch-to-remove
refused table.first_put_right: touch-next-key
refused table.first_take_away +standing: stand-one-more stand-two-more stand-ring-turned
+standing: stand-one-removed stand-restored
+standing > tap: stand-none stand-right
refused table.nothing_to_teach: ask-teach

[presence disc_draw_is_asked]
DRAW > over: ask-draw
+question +draft > set_up: ask-set_up
+hinting: ask-hint
+question > menu: ask-menu
no such thing: touch-too-big
MOVE EDIT > edit: touch-next-key
MOVE EDIT: stand-one-more
+standing > edit: stand-one-less
refused table.press_for_it +standing > edit: stand-slid stand-ring-turned stand-ring-turned-by-two
TAKE_BACK TAKE_BACK: stand-none
refused table.nothing_to_teach: ask-teach

[presence disc_agreed_on_a_draw]
START > draw: ask-new_game
TAKE_BACK > tap: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_draw: ask-draw
no such thing: touch-too-big
refused rules.game_over: touch-next-key
refused rules.game_over +standing: stand-one-more stand-two-more stand-slid stand-ring-turned
    stand-ring-turned-by-two
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-none stand-restored
refused table.nothing_to_teach: ask-teach

[presence disc_computer_wants_a_turn]
refused table.no_draw_with_computer: ask-draw
no such thing: touch-too-big
+taps: touch-wanted
refused table.not_its_move +standing > edit: stand-one-more
+standing > edit: stand-one-less
refused table.press_for_it +standing > edit: stand-slid stand-ring-turned-by-two
refused table.first_put +standing > edit: stand-ring-turned
TAKE_BACK TAKE_BACK: stand-none
silent: oppose-otherwise think
COMPUTERS: oppose-nobody
START COMPUTERS > draw: oppose-nobody-anew
refused table.nothing_to_teach: ask-teach
refused table.not_its_key: touch-next-key

[presence limbs]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
+hinting: ask-hint
no such thing: touch-orange touch-blue stand-one-less stand-slid stand-restored lay-blue-on-orange
    lay-nothing think-of-the-past
refused rules.not_legal: touch-other-key
MOVE EDIT: stand-one-more
refused rules.not_legal +standing > edit: stand-too-big
refused table.nothing_to_teach: ask-teach

[presence limbs_body_chosen]
START > draw: ask-new_game
+standing +taps > edit: ask-take_back stand-none
+standing +taps +draft > set_up: ask-set_up
+hinting: ask-hint
+standing +taps > menu: ask-menu
no such thing: touch-orange touch-blue stand-one-less stand-slid stand-restored lay-blue-on-orange
    lay-nothing think-of-the-past
silent: touch-next-tap touch-chosen hold-chosen stand-chosen-again stand-right
MOVE EDIT > edit: touch-next-key
+taps: stand-one-more stand-next-tap
refused table.first_put +standing +taps > edit: stand-too-big stand-two-more
refused table.hand_rests +standing +taps > edit: stand-hand
+taps +disturbed +lost: trouble
COMPUTERS > edit: oppose oppose-otherwise
refused table.nothing_to_teach: ask-teach

[presence limbs_moved]
START > draw: ask-new_game
+standing +taps > edit: ask-take_back stand-none
+standing +taps +draft > set_up: ask-set_up
+hinting: ask-hint
+standing +taps > menu: ask-menu
no such thing: touch-orange touch-blue stand-hand stand-one-less stand-slid stand-restored
    lay-blue-on-orange lay-nothing think-of-the-past
silent: touch-next-tap touch-chosen hold-chosen
refused rules.not_legal: touch-other-key
MOVE EDIT EDIT EDIT: stand-one-more stand-too-big stand-next-tap
refused table.first_take_away +standing +taps > edit: stand-two-more
MOVE EDIT: stand-chosen-again
+taps: stand-right
+taps +disturbed +lost: trouble
COMPUTERS > edit: oppose oppose-otherwise
refused table.nothing_to_teach: ask-teach

[presence limbs_key_next]
START > draw: ask-new_game
+standing +taps > edit: ask-take_back stand-none
+standing +taps +draft > set_up: ask-set_up
+hinting: ask-hint
+standing +taps > menu: ask-menu
no such thing: touch-orange touch-blue stand-one-less stand-slid stand-restored lay-blue-on-orange
    lay-nothing think-of-the-past
silent: touch-chosen hold-chosen
MOVE EDIT EDIT > edit: touch-next-key
MOVE EDIT EDIT EDIT > edit: stand-one-more stand-too-big
refused table.first_put +standing +taps > edit: stand-two-more
refused table.hand_rests +standing +taps > edit: stand-hand
+taps: stand-chosen-again stand-right
+taps +disturbed +lost: trouble
COMPUTERS > edit: oppose oppose-otherwise
refused table.nothing_to_teach: ask-teach

[presence limbs_taken]
+standing +taps > edit: ask-take_back stand-none
+standing +taps +draft > set_up: ask-set_up
+hinting: ask-hint
+standing +taps > menu: ask-menu
no such thing: touch-orange touch-blue stand-hand stand-one-less stand-slid lay-blue-on-orange
    lay-nothing
silent: touch-next-tap touch-chosen hold-chosen stand-restored
refused rules.not_legal: touch-other-key
MOVE EDIT EDIT EDIT > edit: stand-one-more stand-too-big stand-next-tap
refused table.first_put +standing +taps > edit: stand-two-more
MOVE EDIT EDIT > edit: stand-chosen-again
+taps: stand-right
+taps +disturbed +lost: trouble
COMPUTERS > edit: oppose oppose-otherwise
refused table.nothing_to_teach: ask-teach

[presence limbs_computer_wants_a_limb]
START COMPUTERS > draw: ask-new_game oppose-nobody-anew
+standing +taps > edit: ask-take_back stand-none
+standing +taps +draft > set_up: ask-set_up
+standing +taps > menu: ask-menu
no such thing: touch-orange touch-blue stand-one-less stand-slid stand-restored lay-blue-on-orange
    lay-nothing think-of-the-past
silent: touch-next-tap touch-chosen hold-chosen stand-chosen-again stand-right oppose-otherwise
    think
MOVE EDIT > edit: touch-wanted touch-next-key
refused table.first_put +standing +taps > edit: stand-one-more stand-too-big stand-two-more
    stand-next-tap
refused table.hand_rests +standing +taps > edit: stand-hand
+taps +disturbed +lost: trouble
COMPUTERS > edit: oppose oppose-nobody
refused table.nothing_to_teach: ask-teach

[presence trio_resigning_is_asked]
RESIGN > over: ask-resign
+question +draft > set_up: ask-set_up
+hinting: ask-hint
+question > menu: ask-menu
no such thing: touch-too-big touch-blue
MOVE EDIT > edit: touch-next-key
MOVE EDIT: stand-one-more
TAKE_BACK: stand-one-less stand-none
refused table.press_for_it +standing > edit: stand-slid stand-ring-turned stand-ring-turned-by-two
refused table.bad_names: name-both name-nobody
NAMES: name-too-many
refused table.bad_computers: oppose oppose-otherwise oppose-nobody oppose-anew oppose-nobody-anew
COMPUTERS: oppose-too-many
refused table.nothing_to_teach: ask-teach

[touch veil_laid_out_by_nobody]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_confirm: ask-confirm
+covering: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
refused table.board_is_free: touch-free touch-unknown touch-key touch-other-key
no such thing: touch-orange touch-blue stand-too-big stand-restored stand-right lay-blue-on-orange
    lay-nothing think-for-a-person think-of-the-past think-nonsense think-of-a-hint
SEAL: arrange-green arrange-mauve
refused table.cannot_stand_so: arrange-wrongly
silent: arrange-anew
COMPUTERS SEAL: oppose oppose-otherwise
START COMPUTERS SEAL > draw: oppose-anew
refused table.not_begun: ask-resign ask-draw

[touch veil_laid_out_by_one]
refused table.nothing_to_take_back: ask-take_back
refused table.nothing_to_confirm: ask-confirm
+covering: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
refused table.board_is_free: touch-free touch-unknown touch-key touch-other-key
no such thing: touch-orange touch-blue stand-too-big stand-restored stand-right lay-blue-on-orange
    lay-nothing think-for-a-person think-of-the-past think-nonsense think-of-a-hint
SEAL MOVE MOVE > confirm: arrange-green
SEAL: arrange-mauve arrange-anew
refused table.cannot_stand_so: arrange-wrongly
COMPUTERS SEAL MOVE MOVE > confirm: oppose-otherwise
START COMPUTERS SEAL > draw: oppose-anew
refused table.not_begun: ask-resign ask-draw
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose

[touch veil_one_is_seated]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
refused table.not_begun: ask-resign ask-draw
refused table.nothing_to_confirm: ask-confirm
+covering: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
refused table.board_is_free: touch-free touch-unknown touch-key touch-other-key
no such thing: touch-orange touch-blue stand-too-big stand-restored stand-right lay-blue-on-orange
    lay-nothing think-for-a-person think-of-the-past think-nonsense think-of-a-hint
SEAL: arrange-green arrange-mauve
refused table.cannot_stand_so: arrange-wrongly
silent: arrange-anew
+seated: seat-nobody
refused table.no_computer_seated: oppose oppose-anew
COMPUTERS SEAL: oppose-otherwise

[touch veil_both_are_seated_and_one_is_done]
refused table.nothing_to_take_back: ask-take_back
refused table.not_begun: ask-resign ask-draw
refused table.nothing_to_confirm: ask-confirm
refused table.covering_seated: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
refused table.no_menu_where_hidden: ask-menu
refused table.board_is_free: touch-free touch-unknown touch-key touch-other-key
no such thing: touch-orange touch-blue stand-too-big stand-restored stand-right lay-blue-on-orange
    lay-nothing think-for-a-person think-of-the-past think-nonsense think-of-a-hint
SEAL: arrange-green
SEAL MOVE MOVE > confirm: arrange-mauve
refused table.cannot_stand_so: arrange-wrongly
silent: arrange-anew seat-both
+seated: seat-nobody
refused table.no_computer_seated: oppose oppose-otherwise oppose-anew

[touch veil_covering_begun]
+covering: ask-take_back
refused table.covering_unfinished: ask-confirm
refused table.covering_first: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
refused table.covering_refused: touch-free
no such thing: touch-orange touch-blue stand-too-big stand-restored stand-right lay-blue-on-orange
    lay-nothing think-for-a-person think-of-the-past think-nonsense think-of-a-hint
refused table.board_is_free: touch-unknown touch-key touch-other-key
SEAL: arrange-green arrange-mauve
refused table.cannot_stand_so: arrange-wrongly
silent: arrange-anew
COMPUTERS SEAL: oppose oppose-otherwise
START COMPUTERS SEAL > draw: oppose-anew
refused table.not_begun: ask-resign ask-draw
refused table.no_menu_where_hidden: ask-menu
refused table.seat_was_taken +covering +seated: seat-green seat-both

[touch veil_covering_done]
+covering: ask-take_back
SEAL: ask-confirm arrange-green arrange-mauve
refused table.covering_first: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
refused table.covering_full: touch-free
no such thing: touch-orange touch-blue stand-too-big stand-restored stand-right lay-blue-on-orange
    lay-nothing think-for-a-person think-of-the-past think-nonsense think-of-a-hint
refused table.board_is_free: touch-unknown touch-key touch-other-key
refused table.cannot_stand_so: arrange-wrongly
silent: arrange-anew
COMPUTERS SEAL: oppose oppose-otherwise
START COMPUTERS SEAL > draw: oppose-anew
refused table.not_begun: ask-resign ask-draw
refused table.no_menu_where_hidden: ask-menu
refused table.seat_was_taken +covering +seated: seat-green seat-both

[touch veil_covering_disturbed]
+covering: ask-take_back
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-menu touch-free touch-unknown
    touch-key touch-other-key
refused table.covering_first: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-orange touch-blue stand-too-big stand-restored stand-right lay-blue-on-orange
    lay-nothing think-for-a-person think-of-the-past think-nonsense think-of-a-hint
silent: palm arrange-anew
told table.goes_on +disturbed +lost: trouble-mended
SEAL: arrange-green arrange-mauve
refused table.cannot_stand_so: arrange-wrongly
COMPUTERS SEAL: oppose oppose-otherwise
START COMPUTERS SEAL > draw: oppose-anew
refused table.not_begun: ask-resign ask-draw
refused table.seat_was_taken +covering +seated: seat-green seat-both

[touch veil_to_be_laid_out]
refused table.confirm_anew +question: ask-take_back
refused table.confirm_first: ask-resign ask-draw
EDIT EDIT EDIT EDIT EDIT EDIT > tap: ask-touch_cell ask-confirm touch-too-big touch-unknown
    touch-key touch-other-key
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free touch-orange touch-blue hold-free lift-free stand-one-more mask-one-more
    lay-orange lay-blue-on-orange lay-nothing think-of-the-past
EDIT: touch-to-put
silent: stand-one-put
START COMPUTERS SEAL > draw: oppose-anew
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose oppose-otherwise

[touch veil_before_the_first_move]
refused table.confirm_anew +question: ask-take_back
refused table.confirm_draw +question: ask-draw
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more mask-one-more lay-orange
    think-of-the-past
refused rules.not_legal: touch-too-big touch-other-key
+taps: touch-orange
START COMPUTERS SEAL > draw: oppose-anew
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose oppose-otherwise

[touch veil_key_next]
+taps: ask-take_back
refused table.confirm_draw +question: ask-draw
+taps > confirm: ask-confirm
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more mask-one-more lay-orange
    think-of-the-past
refused rules.not_legal: touch-too-big
MOVE EDIT > show: touch-blue touch-next-tap
+down: touch-chosen
MOVE EDIT EDIT: touch-next-key
silent: hold-chosen stand-next-tap stand-chosen-again
+taps +disturbed +lost: trouble
START COMPUTERS SEAL > draw: oppose-anew
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose oppose-otherwise

[touch veil_faces_just_shown]
refused table.confirm_draw +question: ask-draw
COVER > tap: ask-confirm
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more mask-one-more lay-orange
refused table.look_first: touch-too-big touch-orange touch-blue touch-same-finger
    touch-beside-finger touch-unknown touch-key touch-other-key
silent: lift-same-finger
START COMPUTERS SEAL > draw: oppose-anew
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose oppose-otherwise

[touch veil_faces_shown]
refused table.confirm_draw +question: ask-draw
COVER > edit: ask-confirm touch-too-big touch-orange touch-blue touch-to-remove touch-unknown
    touch-key touch-other-key
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more mask-one-more lay-orange
START COMPUTERS SEAL > draw: oppose-anew
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose oppose-otherwise

[touch veil_faces_shown_disturbed]
refused table.confirm_draw +question: ask-draw
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-menu touch-too-big touch-orange
    touch-blue touch-to-remove touch-unknown touch-key touch-other-key
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more mask-one-more lay-orange
silent: palm
told table.goes_on +disturbed +lost: trouble-mended
START COMPUTERS SEAL > draw: oppose-anew
refused table.no_computer_where_hidden: oppose oppose-otherwise

[touch veil_faces_covered]
TAKE_BACK: ask-take_back
refused table.confirm_draw +question: ask-draw
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more mask-one-more lay-orange
refused table.first_take_away: touch-too-big
EDIT: touch-to-remove
refused table.first_put_right: touch-other-key
START COMPUTERS SEAL > draw: oppose-anew
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose oppose-otherwise

[touch veil_over]
START > draw: ask-new_game
refused table.all_is_shown: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_draw: ask-draw
refused table.nothing_to_confirm: ask-confirm
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more mask-one-more lay-orange
    think-of-the-past
refused rules.game_over: touch-too-big touch-other-key
START COMPUTERS SEAL > draw: oppose-anew

[touch veil_menu]
> arrange: ask-new_game ask-take_back ask-resign ask-draw ask-menu
refused table.nothing_to_confirm: ask-confirm
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-orange touch-blue stand-too-big stand-restored stand-right lay-blue-on-orange
    lay-nothing think-for-a-person think-of-the-past think-nonsense think-of-a-hint
START COMPUTERS SEAL > draw: touch-choice oppose-anew
silent: stand-choice stand-no-choice arrange-anew
SEAL > arrange: arrange-green arrange-mauve
refused table.cannot_stand_so: arrange-wrongly
COMPUTERS SEAL > arrange: oppose oppose-otherwise
refused table.not_in_menu_there: touch-free touch-no-choice touch-unknown touch-key touch-other-key

[touch veil_computer_wants]
refused table.confirm_anew +question: ask-take_back
refused table.no_draw_with_computer: ask-draw
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more mask-one-more lay-orange
    think-of-the-past
refused table.not_its_move: touch-too-big
+taps: touch-wanted
refused table.not_its_key: touch-other-key
silent: stand-wanted oppose-otherwise think
COMPUTERS: oppose-nobody
START COMPUTERS SEAL > draw: oppose-anew
START COMPUTERS > draw: oppose-nobody-anew
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose

[presence veil_laid_out_by_nobody]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
+covering: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-too-big touch-orange touch-blue stand-one-less stand-slid stand-none
    stand-restored lay-blue-on-orange lay-nothing think-for-a-person think-of-the-past
    think-nonsense think-of-a-hint
refused table.board_is_free: touch-unknown touch-key touch-other-key
silent: stand-one-more stand-two-more stand-hand arrange-anew
SEAL: arrange-green arrange-mauve
refused table.cannot_stand_so: arrange-wrongly
COMPUTERS SEAL: oppose oppose-otherwise
START COMPUTERS SEAL > draw: oppose-anew
refused table.not_begun: ask-resign ask-draw

[presence veil_laid_out_by_one]
refused table.nothing_to_take_back: ask-take_back
+covering: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-too-big touch-orange touch-blue stand-one-less stand-slid stand-none
    stand-restored lay-blue-on-orange lay-nothing think-for-a-person think-of-the-past
    think-nonsense think-of-a-hint
refused table.board_is_free: touch-unknown touch-key touch-other-key
silent: stand-one-more stand-two-more stand-hand
SEAL MOVE MOVE > edit: arrange-green
SEAL: arrange-mauve arrange-anew
refused table.cannot_stand_so: arrange-wrongly
COMPUTERS SEAL MOVE MOVE > edit: oppose-otherwise
START COMPUTERS SEAL > draw: oppose-anew
refused table.not_begun: ask-resign ask-draw
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose

[presence veil_one_is_seated]
START > draw: ask-new_game
refused table.nothing_to_take_back: ask-take_back
refused table.not_begun: ask-resign ask-draw
+covering: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-too-big touch-orange touch-blue stand-one-less stand-slid stand-none
    stand-restored lay-blue-on-orange lay-nothing think-for-a-person think-of-the-past
    think-nonsense think-of-a-hint
refused table.board_is_free: touch-unknown touch-key touch-other-key
silent: stand-one-more stand-two-more stand-hand arrange-anew
SEAL: arrange-green arrange-mauve
refused table.cannot_stand_so: arrange-wrongly
+seated: seat-nobody
refused table.no_computer_seated: oppose oppose-anew
COMPUTERS SEAL: oppose-otherwise

[presence veil_both_are_seated_and_one_is_done]
refused table.nothing_to_take_back: ask-take_back
refused table.not_begun: ask-resign ask-draw
refused table.covering_seated: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
refused table.no_menu_where_hidden: ask-menu
no such thing: touch-too-big touch-orange touch-blue stand-one-less stand-slid stand-none
    stand-restored lay-blue-on-orange lay-nothing think-for-a-person think-of-the-past
    think-nonsense think-of-a-hint
refused table.board_is_free: touch-unknown touch-key touch-other-key
silent: stand-one-more stand-two-more stand-hand arrange-anew seat-both
SEAL: arrange-green
SEAL MOVE MOVE > edit: arrange-mauve
refused table.cannot_stand_so: arrange-wrongly
+seated: seat-nobody
refused table.no_computer_seated: oppose oppose-otherwise oppose-anew

[presence veil_covering_begun]
+covering: ask-take_back
refused table.covering_unfinished: ask-confirm
refused table.covering_first: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-too-big touch-orange touch-blue stand-one-less stand-slid stand-restored
    lay-blue-on-orange lay-nothing think-for-a-person think-of-the-past think-nonsense
    think-of-a-hint
refused table.board_is_free: touch-unknown touch-key touch-other-key
refused table.covering_refused: stand-one-more
refused table.covering_one: stand-two-more stand-hand
refused table.covering_back +covering: stand-none stand-right
SEAL: arrange-green arrange-mauve
refused table.cannot_stand_so: arrange-wrongly
silent: arrange-anew
COMPUTERS SEAL: oppose oppose-otherwise
START COMPUTERS SEAL > draw: oppose-anew
refused table.not_begun: ask-resign ask-draw
refused table.no_menu_where_hidden: ask-menu
refused table.seat_was_taken +covering +seated: seat-green seat-both

[presence veil_covering_done]
+covering: ask-take_back
SEAL: ask-confirm arrange-green arrange-mauve
refused table.covering_first: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-too-big touch-orange touch-blue stand-one-less stand-slid stand-restored
    lay-blue-on-orange lay-nothing think-for-a-person think-of-the-past think-nonsense
    think-of-a-hint
refused table.board_is_free: touch-unknown touch-key touch-other-key
refused table.covering_full: stand-one-more
refused table.covering_one: stand-two-more stand-hand
refused table.covering_back +covering: stand-none stand-right
refused table.cannot_stand_so: arrange-wrongly
silent: arrange-anew
COMPUTERS SEAL: oppose oppose-otherwise
START COMPUTERS SEAL > draw: oppose-anew
refused table.not_begun: ask-resign ask-draw
refused table.no_menu_where_hidden: ask-menu
refused table.seat_was_taken +covering +seated: seat-green seat-both

[presence veil_covering_disturbed]
+covering: ask-take_back
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-menu touch-free touch-unknown
    touch-key touch-other-key stand-one-more stand-two-more stand-hand
refused table.covering_first: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-too-big touch-orange touch-blue stand-one-less stand-slid stand-restored
    lay-blue-on-orange lay-nothing think-for-a-person think-of-the-past think-nonsense
    think-of-a-hint
silent: palm stand-none stand-right arrange-anew
told table.goes_on +disturbed +lost: trouble-mended
SEAL: arrange-green arrange-mauve
refused table.cannot_stand_so: arrange-wrongly
COMPUTERS SEAL: oppose oppose-otherwise
START COMPUTERS SEAL > draw: oppose-anew
refused table.not_begun: ask-resign ask-draw
refused table.seat_was_taken +covering +seated: seat-green seat-both

[presence veil_to_be_laid_out]
refused table.confirm_anew +question: ask-take_back
refused table.confirm_draw +question: ask-draw
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free touch-orange touch-blue hold-free lift-free stand-one-more stand-one-less
    stand-slid stand-none mask-one-more lay-orange lay-blue-on-orange lay-nothing think-of-the-past
silent: touch-to-put
refused table.first_put_right: touch-other-key
refused table.first_put +standing: stand-too-big stand-two-more
refused table.hand_rests +standing: stand-hand
+standing: stand-one-put stand-restored
+standing > tap: stand-right
START COMPUTERS SEAL > draw: oppose-anew
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose oppose-otherwise

[presence veil_before_the_first_move]
refused table.confirm_anew +question: ask-take_back
refused table.confirm_draw +question: ask-draw
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more stand-slid mask-one-more lay-orange
    think-of-the-past
refused rules.not_legal: touch-other-key
refused rules.not_legal +standing > edit: stand-too-big
+taps: stand-one-less
+standing > edit: stand-restored
START COMPUTERS SEAL > draw: oppose-anew
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose oppose-otherwise

[presence veil_key_next]
+standing +taps > edit: ask-take_back stand-one-less stand-none stand-restored
refused table.confirm_draw +question: ask-draw
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more stand-slid mask-one-more lay-orange
    think-of-the-past
silent: touch-next-tap touch-chosen hold-chosen stand-chosen-again
MOVE EDIT EDIT: touch-next-key
refused table.first_take_away +standing +taps > edit: stand-too-big stand-two-more
refused table.hand_rests +standing +taps > edit: stand-hand
+taps: stand-right
+taps +disturbed +lost: trouble
START COMPUTERS SEAL > draw: oppose-anew
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose oppose-otherwise

[presence veil_faces_just_shown]
refused table.confirm_draw +question: ask-draw
COVER > edit: ask-confirm
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more stand-slid mask-one-more lay-orange
silent: touch-to-put
refused table.look_first: touch-unknown touch-key touch-other-key
refused table.first_put +standing: stand-too-big stand-two-more stand-restored
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-put stand-none stand-right
START COMPUTERS SEAL > draw: oppose-anew
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose oppose-otherwise

[presence veil_faces_shown]
refused table.confirm_draw +question: ask-draw
COVER > edit: ask-confirm touch-unknown touch-key touch-other-key stand-too-big stand-two-more
    stand-hand stand-one-less stand-one-removed stand-one-put stand-none
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more stand-slid mask-one-more lay-orange
silent: touch-to-remove touch-to-put
COVER TAKE_BACK > tap: stand-restored
COVER > tap: stand-right
START COMPUTERS SEAL > draw: oppose-anew
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose oppose-otherwise

[presence veil_faces_shown_disturbed]
refused table.confirm_draw +question: ask-draw
refused table.paused: ask-next_cell ask-touch_cell ask-confirm ask-menu touch-too-big touch-orange
    touch-blue touch-to-remove touch-to-put touch-unknown touch-key touch-other-key stand-too-big
    stand-two-more stand-hand stand-restored
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more stand-slid mask-one-more lay-orange
silent: palm stand-one-less stand-one-removed stand-one-put stand-none stand-right
told table.goes_on +disturbed +lost: trouble-mended
START COMPUTERS SEAL > draw: oppose-anew
refused table.no_computer_where_hidden: oppose oppose-otherwise

[presence veil_faces_covered]
TAKE_BACK: ask-take_back
refused table.confirm_draw +question: ask-draw
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more stand-slid mask-one-more lay-orange
silent: touch-to-remove touch-to-put
refused table.first_put_right: touch-other-key
refused table.first_take_away +standing: stand-too-big stand-two-more
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-one-removed stand-one-put stand-none
TAKE_BACK > tap: stand-restored
+standing > tap: stand-right
START COMPUTERS SEAL > draw: oppose-anew
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose oppose-otherwise

[presence veil_over]
START > draw: ask-new_game
refused table.all_is_shown: ask-take_back
refused table.nothing_to_resign: ask-resign
refused table.nothing_to_draw: ask-draw
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more stand-slid mask-one-more lay-orange
    think-of-the-past
refused rules.game_over: touch-other-key
refused rules.game_over +standing: stand-too-big stand-two-more
refused table.hand_rests +standing: stand-hand
+standing: stand-one-less stand-none stand-restored
START COMPUTERS SEAL > draw: oppose-anew

[presence veil_menu]
> arrange: ask-new_game ask-take_back ask-resign ask-draw ask-menu
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-too-big touch-orange touch-blue stand-one-less stand-slid stand-none
    stand-restored lay-blue-on-orange lay-nothing think-for-a-person think-of-the-past
    think-nonsense think-of-a-hint
silent: touch-choice touch-no-choice stand-two-more stand-hand arrange-anew
START COMPUTERS SEAL > draw: stand-choice oppose-anew
SEAL > arrange: arrange-green arrange-mauve
refused table.cannot_stand_so: arrange-wrongly
COMPUTERS SEAL > arrange: oppose oppose-otherwise
refused table.not_in_menu_there: touch-unknown touch-key touch-other-key stand-one-more
    stand-no-choice

[presence veil_computer_wants]
refused table.confirm_anew +question: ask-take_back
refused table.no_draw_with_computer: ask-draw
refused rules.no_set_up: ask-set_up
refused table.no_help_where_hidden: ask-hint ask-teach
no such thing: touch-free hold-free lift-free stand-one-more stand-slid mask-one-more lay-orange
    think-of-the-past
silent: touch-wanted oppose-otherwise think
refused table.not_its_key: touch-other-key
refused table.not_its_move +standing > edit: stand-too-big
+standing > edit: stand-one-less stand-restored
COMPUTERS: oppose-nobody
START COMPUTERS SEAL > draw: oppose-anew
START COMPUTERS > draw: oppose-nobody-anew
refused table.no_menu_where_hidden: ask-menu
refused table.no_computer_where_hidden: oppose
"""
