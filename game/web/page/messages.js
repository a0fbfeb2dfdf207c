/**
 * The messages between this page and its server: their types, and functions that make them.
 * Written by `make messages`, from page_messages.py and server_messages.py.
 */

/** @typedef {{type: "locked", version: string, lang: string, langs: Object<string, string>, words:
 *   Object<string, string>, pin_command: string, seats: boolean}} Locked */

/** @typedef {{piece: string, word: string, side: ?number}} PieceWord */

/** @typedef {{size: number, path: string}} QrCode */

/** @typedef {{link: string, qr: ?QrCode}} Invitation */

/** @typedef {{reach: "none"|"pin"|"open", play: ?Invitation, watch: ?Invitation, pin: string}} Share */

/** @typedef {{number: number, day: string, judged: boolean, lesson: string}} Shown */

/** @typedef {{x: number, y: number, neighbours: string[]}} BoardCell */

/** @typedef {{shape: string, cells: Object<string, BoardCell>}} Board */

/** @typedef {{number: number, name: string}} Named */

/** @typedef {{name: string, text: string, shape: number[][], arrow_to: ?number}} LegendEntry */

/** @typedef {{name: string, text: string}} Word */

/** @typedef {{level: string, text: string, about: string}} Level */

/** @typedef {{type: "hello", version: string, lang: string, langs: Object<string, string>, words:
 *   Object<string, string>, pin_command: string, art: ?string, keys_of_game: string[], rings: Object<string,
 *   string[]>, hues: string[], score_word: string, score_about: string, previews: boolean, agreed_draws:
 *   boolean, palette: PieceWord[], printed: Object<string, string>, access: string, share: Share, game: string,
 *   title: string, hidden: boolean, simulated: boolean, replay: ?Shown, sensing: string, board: Board, players:
 *   Named[], legend: LegendEntry[], cues: Word[], pixels: Object<string, number>, keys: string[], board_keys:
 *   string[], levels: Level[]}} Hello */

/** @typedef {{piece: string, side: ?number}} RulePiece */

/** @typedef {{piece: string, side: ?number, kind: string}} RuleEdit */

/** @typedef {{pieces: Object<string, RulePiece>, edits: Object<string, RuleEdit>, way: string[]}} RulePicture */

/** @typedef {{text: string, pictures: RulePicture[]}} Rule */

/** @typedef {{type: "guide", level: ?string, rules: Rule[], notation: ?string, tutorial: string, puzzles:
 *   boolean}} Guide */

/** @typedef {{piece: string, standing: string, cue: string, label: string}} Cell */

/** @typedef {{cells: string[], text: string}} CellsText */

/** @typedef {{brush: string, to_move: number, score: number[], flaw: ?CellsText}} SetUp */

/** @typedef {{cell: string, move: string, value: number, decided: boolean}} HintedMove */

/** @typedef {{cell: string, player: ?number, level: string, chosen: boolean}} MenuCell */

/** @typedef {{side: number, token: string}} Side */

/** @typedef {{player: number, text: string, about: string, reached: number, wanted: number}} GoalView */

/** @typedef {{key: string, text: string, cue: string}} Key */

/** @typedef {{ring: string, steps: number}} RingTurn */

/** @typedef {{left: number[], running: ?number}} Clock */

/** @typedef {{news: string[], asked: string[]}} Spoken */

/** @typedef {{ply: number, player: number, side: number, token: string, text: string, removed: string[], label:
 *   string}} Move */

/** @typedef {{cell: string, kind: string, piece: string, taken: string, steps: number, text: string}} Task */

/** @typedef {{step: number, of: number}} LessonStep */

/** @typedef {{grades: number[], solved: boolean[], daily: number, streak: number, rating: number, own: number}}
 *   Puzzles */

/** @typedef {{winner: ?number, text: string, about: string}} Outcome */

/** @typedef {{player: number, count: number, of: number, next: ?string, word: ?string}} Covering */

/** @typedef {{piece: string, word: string}} OwnPiece */

/** @typedef {{player: number, cells: string[], pieces: OwnPiece[], laid: ?Object<string, string>}} OwnSetUp */

/** @typedef {{sealed: number[], covering: ?Covering, own: ?OwnSetUp}} Arranging */

/** @typedef {{cells: Object<string, PieceWord>, text: string}} Faces */

/** @typedef {{type: "state", ply: number, phase: string, to_move: ?number, message: string, notice: string,
 *   good_news: boolean, cells: Object<string, Cell>, ghosts: Object<string, string>, pieces: Object<string,
 *   ?number>, legend: string[], scores: number[], draft: ?SetUp, thinking: boolean, proposed: ?CellsText, hints:
 *   HintedMove[], menu: MenuCell[], sides: Side[], called: string[], goals: GoalView[], keys: Key[], travel:
 *   ?RingTurn, computers: string[], hinting: boolean, coaching: boolean, chances: ?number, engine_failed:
 *   ?string, you: ?number, clock: ?Clock, redo: boolean, help: string[], graded: string, assistance: string,
 *   hands: ?string, heard: string[], aloud: Spoken, target: ?number, options: Object<string, string>, names:
 *   string[], moves_from: number, moves: Move[], todo: Task[], unsaved: ?string, faults: string[], missing:
 *   string[], masked: string[], sensed: ?string[], rebuilding: boolean, confirm: ?string, lesson: ?LessonStep,
 *   puzzles: ?Puzzles, outcome: ?Outcome, arranging: ?Arranging, faces: ?Faces}} State */

/** @typedef {{type: "lights", rgb: string}} Lights */

/** @typedef {{ply: number, player: number, move: string, value: number, best: string, best_value: number,
 *   move_value: number, loss: number, mark: string, decided: boolean}} CoursePoint */

/** @typedef {{type: "analysis", moves: number, points: CoursePoint[], turning: number[], done: boolean, final:
 *   ?number, trouble: ?string}} Analysis */

/** @typedef {{type: "look", ply: number, phase: string, to_move: ?number, message: string, notice: string,
 *   good_news: boolean, cells: Object<string, Cell>, ghosts: Object<string, string>, pieces: Object<string,
 *   ?number>, legend: string[], scores: number[], draft: ?SetUp, thinking: boolean, proposed: ?CellsText, hints:
 *   HintedMove[], menu: MenuCell[], sides: Side[], called: string[], goals: GoalView[], keys: Key[], travel:
 *   ?RingTurn, take_backs: number, rgb: string}} PastState */

/** @typedef {{type: "preview", cell: string, ply: number, cells: Object<string, string>, legend: string[],
 *   text: string}} PreviewOfMove */

/** @typedef {{type: "seat", player: ?number, key: ?string, error: ?string, void: ?number}} Seat */

/** @typedef {{player: number, taken: boolean, link: ?string, qr: ?QrCode}} SeatOffer */

/** @typedef {{type: "seats", seats: SeatOffer[]}} Seats */

/** @typedef {{type: "error", text: string}} Error */

/** @typedef {{type: "pong"}} Pong */

/** Put a finger on a cell or key of a simulated board. */
export const press = (pointer, spot) => ({ do: "press", pointer, spot });

/** Take a finger off a simulated board. */
export const lift = (pointer) => ({ do: "lift", pointer });

/** Press and release a key of the game. */
export const pressKey = (name) => ({ do: "key", name });

/** Ask what a touch of a cell would make and take, and how good it is; "" for no cell. */
export const preview = (cell) => ({ do: "preview", cell });

/** Let a simulated board make its own edits, or leave them to people. */
export const switchHands = (automatic) => ({ do: "hands", automatic });

/** Give a command. */
export const giveCommand = (name) => ({ do: "command", name });

/** Ask how the game went. */
export const analyse = () => ({ do: "analyse" });

/** Begin a new game, of this or another game; null options are those of the last one. */
export const startGame = (game, options, computers, names) => ({ do: "start", game, options, computers, names });

/** Open another activity, such as the unfinished game of another game. */
export const openActivity = (kind, game) => ({ do: "open", kind, game });

/** Play with another board: offer a room with the code "new", or join one; "" is no broker. */
export const enterRoom = (broker, tls, user, password, code, name, options) => ({ do: "room", broker, tls, user, password, code, name, options });

/** Play alone again. */
export const leaveRoom = () => ({ do: "leave" });

/** Take a free seat by an invitation. */
export const takeSeat = (invite) => ({ do: "sit", invite });

/** Come back to a seat by its key. */
export const returnToSeat = (player, key) => ({ do: "return", player, key });

/** Give up this page's seat. */
export const leaveSeat = () => ({ do: "stand" });

/** Take a seat from its holder. */
export const freeSeat = (player) => ({ do: "free", player });

/** Submit the set-up of this page's own side; null to begin again. */
export const arrange = (pieces) => ({ do: "arrange", pieces });

/** Look at the position after `ply` moves, or at the puzzle with that number. */
export const look = (ply) => ({ do: "look", ply });

/** Do an action that a maker's tool offers. */
export const doAction = (name) => ({ do: "action", name });

/** Ask whether the server is there; it answers with a pong. */
export const ping = () => ({ do: "ping" });

/** A finger or a stone came down on a cell, or on a key that belongs to the game. */
export const touched = (spot) => ({ do: "touch", spot });

/** Exactly these cells are masked, not sensed; sent at the start and at every change. */
export const maskChanged = (cells) => ({ do: "mask", cells });

/** People answer no to the request to confirm a command. */
export const dismissed = () => ({ do: "dismiss" });

/** Set the players' names: one per player, "" for none. */
export const setNames = (names) => ({ do: "name", names });

/** Put a piece on a cell of the position that is being set up; "" removes it. */
export const setPiece = (cell, piece) => ({ do: "lay", cell, piece });

/** Choose the piece that touches set while a position is being set up. */
export const selectPiece = (piece) => ({ do: "pick", piece });

/** Set the score and the player to move of the position that is being set up. */
export const setScore = (score, toMove) => ({ do: "score", score, to_move: toMove });

/** Set the computer players: one level's name per player, "" for a person. */
export const setOpponents = (computers) => ({ do: "opponents", computers });

/** Set how much help each player has, such as "3:2" (`help_in`); "" leaves it unchanged. */
export const setHelp = (levels) => ({ do: "help", levels });

/** Send a phrase to the other board. */
export const say = (phrase) => ({ do: "say", phrase });
