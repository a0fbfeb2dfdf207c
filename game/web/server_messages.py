"""The messages that a server sends to its pages.

`make messages` writes the types of `page/messages.js` from these, with the comment behind each
field. `rgb` is six hexadecimal digits a pixel.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict


class QrCode(TypedDict):
    size: int  # modules, the quiet zone included
    path: str  # the dark ones, as an SVG path


class Invitation(TypedDict):
    link: str
    qr: QrCode | None


class Share(TypedDict):
    reach: Literal["none", "pin", "open"]  # who else may open it
    play: Invitation | None
    watch: Invitation | None  # only to watch
    pin: str  # on the board's own computer, else ""


class Named(TypedDict):
    number: int
    name: str


class Word(TypedDict):
    name: str
    text: str


class LegendEntry(Word):
    shape: Sequence[tuple[float, float]]  # corners
    arrow_to: int | None


class Level(TypedDict):
    level: str
    text: str
    about: str


class OwnPiece(TypedDict):
    piece: str
    word: str


class PieceWord(OwnPiece):
    side: int | None


class BoardCell(TypedDict):
    x: float
    y: float
    neighbours: Sequence[str]


class Board(TypedDict):
    shape: str
    cells: Mapping[str, BoardCell]


class Shown(TypedDict):
    number: int
    day: str
    judged: bool
    lesson: str  # "tutorial", "puzzles" or ""


class Greeting(TypedDict):
    version: str  # the server's; if it changes, the page is outdated
    lang: str
    langs: Mapping[str, str]
    words: Mapping[str, str]
    pin_command: str  # the command that shows the PIN, "" where the terminal shows it


class Locked(Greeting):
    """Sent before the PIN is entered."""

    type: Literal["locked"]
    seats: bool  # whether the game has seats, whose keys open the page too


class Hello(Greeting):
    """Sent first, and when language or activity change: what stays the same."""

    type: Literal["hello"]
    art: str | None  # path of the module that draws the game's pieces
    keys_of_game: Sequence[str]
    rings: Mapping[str, Sequence[str]]  # cells in clockwise order
    hues: Sequence[str]  # of each side
    score_word: str
    score_about: str  # what the score means
    previews: bool  # whether moves can be previewed
    agreed_draws: bool
    palette: list[PieceWord]
    printed: Mapping[str, str]  # codes on cells
    access: str  # "watch" or "control"
    share: Share  # this page, for others
    game: str
    title: str
    hidden: bool  # whether the game hides things
    simulated: bool  # whether cells are pressed on the page
    replay: Shown | None
    sensing: str  # "touch" or "presence"
    board: Board
    players: list[Named]
    legend: list[LegendEntry]
    cues: list[Word]
    pixels: Mapping[str, int]  # by cell
    keys: list[str]  # the commands
    board_keys: list[str]  # the keys of a real board
    levels: list[Level]


class RulePiece(TypedDict):
    piece: str
    side: int | None


class RuleEdit(RulePiece):
    kind: str


class RulePicture(TypedDict):
    pieces: Mapping[str, RulePiece]
    edits: Mapping[str, RuleEdit]
    way: Sequence[str]


class Rule(TypedDict):
    text: str
    pictures: list[RulePicture]


class Guide(TypedDict):
    """Sent after each hello: how the game is played at its level."""

    type: Literal["guide"]
    level: str | None
    rules: list[Rule]
    notation: str | None
    tutorial: str  # the game whose tutorial teaches this one, "" if there is none
    puzzles: bool  # whether the game has any


class Spoken(TypedDict):
    news: list[str]  # since the last state
    asked: list[str]


class Cell(TypedDict):
    piece: str
    standing: str  # what stands there now, as sensed or touched
    cue: str
    label: str


class Move(TypedDict):
    ply: int
    player: int
    side: int
    token: str
    text: str
    removed: Sequence[str]
    label: str  # a sentence


class Task(TypedDict):
    cell: str
    kind: str
    piece: str  # what is put, or what is taken from an otherwise empty cell
    taken: str  # what a put piece replaces
    steps: int
    text: str


class CellsText(TypedDict):
    cells: Sequence[str]
    text: str


class SetUp(TypedDict):
    brush: str
    to_move: int
    score: Sequence[int]
    flaw: CellsText | None


class Puzzles(TypedDict):
    grades: Sequence[int]
    solved: Sequence[bool]
    daily: int  # the number, from 1, of today's
    streak: int  # days
    rating: int  # of the puzzle on the board
    own: int  # the solver's rating, 0 before the first puzzle


class LessonStep(TypedDict):
    step: int
    of: int


class Outcome(TypedDict):
    winner: int | None
    text: str
    about: str  # why that wins


class HintedMove(TypedDict):
    cell: str
    move: str
    value: float
    decided: bool


class MenuCell(TypedDict):
    cell: str
    player: int | None
    level: str
    chosen: bool


class Side(TypedDict):
    side: int
    token: str  # the piece that depicts it


class GoalView(TypedDict):
    player: int
    text: str
    about: str
    reached: int
    wanted: int


class Key(TypedDict):
    key: str
    text: str
    cue: str


class Clock(TypedDict):
    left: list[float]  # seconds, of each player
    running: int | None


class RingTurn(TypedDict):
    ring: str
    steps: int


class Covering(TypedDict):
    player: int
    count: int
    of: int
    next: str | None
    word: str | None


class OwnSetUp(TypedDict):
    player: int
    cells: list[str]
    pieces: list[OwnPiece]
    laid: Mapping[str, str] | None


class Arranging(TypedDict):
    sealed: list[int]  # players whose set-ups are made
    covering: Covering | None
    own: OwnSetUp | None


class Faces(TypedDict):
    cells: Mapping[str, PieceWord]
    text: str


class Position(TypedDict):
    ply: int
    phase: str
    to_move: int | None
    message: str
    notice: str
    good_news: bool
    cells: Mapping[str, Cell]
    ghosts: Mapping[str, str]  # what the last move took, by cell, in a past position
    pieces: Mapping[str, int | None]  # the side of each piece
    legend: list[str]  # cues
    scores: Sequence[int]
    draft: SetUp | None  # the position that is being set up
    thinking: bool
    proposed: CellsText | None
    hints: list[HintedMove]
    menu: list[MenuCell]
    sides: list[Side]  # of each player
    called: list[str]  # each player's name
    goals: list[GoalView]
    keys: list[Key]  # that can be pressed
    travel: RingTurn | None


class State(Position):
    """Sent at every change, whole but for the moves: the game as this page may see it."""

    type: Literal["state"]
    computers: Sequence[str]
    hinting: bool
    coaching: bool
    chances: float | None  # the first player's, 0 to 1, where people agreed to see them
    engine_failed: str | None
    you: int | None  # the player whom the words address
    clock: Clock | None
    redo: bool  # whether a move that was taken back can be made again
    help: Sequence[str]  # how much each player has: "0" to "5", or "3:2" for two looks
    graded: str  # how good the cell being looked at is
    assistance: str  # "casual", "strict": no hints and no taking back, or "chances"
    hands: str | None  # "automatic" or "mine" on a simulated board
    heard: Sequence[str]  # the sounds that this state asks for
    aloud: Spoken  # sentences to be spoken
    target: int | None
    options: Mapping[str, str]  # with which the game began
    names: Sequence[str]
    moves_from: int  # how many of the moves that were sent before still hold
    moves: list[Move]  # all others; of a stored game also those that come later
    todo: list[Task]
    unsaved: str | None  # why the game is not being saved
    faults: list[str]
    missing: list[str]  # cells that cannot be sensed
    masked: list[str]
    sensed: list[str] | None  # cells on which stones are sensed
    rebuilding: bool  # whether hands lay out the whole board
    confirm: str | None
    lesson: LessonStep | None  # where a tutorial is, or which puzzle is on the board
    puzzles: Puzzles | None
    outcome: Outcome | None
    arranging: Arranging | None
    faces: Faces | None


class Lights(TypedDict):
    """Sent at every change: the colours of all pixels."""

    type: Literal["lights"]
    rgb: str


class CoursePoint(TypedDict):
    ply: int
    player: int
    move: str
    value: float  # of the first player, from 0 to 1
    best: str
    best_value: float  # of the player who moved, as `move_value`
    move_value: float
    loss: float
    mark: str  # "?!", "?" or "??" of a fault, else ""
    decided: bool


class Analysis(TypedDict):
    """Sent while a finished game is analysed, after analyse."""

    type: Literal["analysis"]
    moves: int  # 0 if no analysis was requested
    points: list[CoursePoint]
    turning: Sequence[int]
    done: bool
    final: float | None
    trouble: str | None


class PastState(Position):
    """Answers look: the game as it was after some moves, which the page shows in place of State."""

    type: Literal["look"]
    take_backs: int  # how many take-backs lead back to this position, 0 if that is refused
    rgb: str


class PreviewOfMove(TypedDict):
    """Answers preview: what a touch of a cell would make and take."""

    type: Literal["preview"]
    cell: str
    ply: int
    cells: Mapping[str, str]  # cues
    legend: list[str]
    text: str  # "" where nothing is said


class Seat(TypedDict):
    """Sent in games with hidden pieces: this page's seat."""

    type: Literal["seat"]
    player: int | None
    key: str | None  # where it is new
    error: str | None  # why this page did not get the seat that it asked for
    void: int | None  # the player whose key is not valid any more


class SeatOffer(TypedDict):
    player: int
    taken: bool
    link: str | None
    qr: QrCode | None


class Seats(TypedDict):
    """Sent in games with hidden pieces: who may still sit down."""

    type: Literal["seats"]
    seats: list[SeatOffer]


class Error(TypedDict):
    """Says why a message was refused."""

    type: Literal["error"]
    text: str


class Pong(TypedDict):
    """Answers ping."""

    type: Literal["pong"]
