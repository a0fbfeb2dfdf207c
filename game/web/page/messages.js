/**
 * The messages between this page and its server, in both directions: the fields of each, and a
 * function for each that the page sends. The server's side is page_messages.py; a test compares
 * the two. Must not know what a message does.
 */

/**
 * @typedef {object} Locked all that is told before the PIN is entered
 * @property {string} type "locked"
 * @property {string} version the server's; another than before means that the page is outdated
 * @property {string} lang
 * @property {Object<string, string>} langs
 * @property {Object<string, string>} words
 * @property {string} pin_command what shows the PIN, "" where it stands in the terminal
 * @property {boolean} pin_changed whether this device had entered a PIN that is not valid any more
 * @property {boolean} [seats] whether the game has seats, whose keys open the page too
 */

/**
 * @typedef {Locked} Hello what does not change: all of Locked but seats, of type "hello", and
 * @property {boolean} devices whether it may ask for the devices that have entered the PIN
 * @property {string} access "watch" or "control"
 * @property {boolean} pin whether this device controls because it has entered the PIN
 * @property {string} game
 * @property {?string} art path of the module that draws the game's pieces
 * @property {string} title
 * @property {boolean} simulated whether cells are pressed on the page
 * @property {?object} replay the stored game that is shown: number, day, whether it is past or
 *   replayed on the board, whether it can be judged; or its lesson: "tutorial" or "puzzles"
 * @property {string} sensing "touch" or "presence"
 * @property {object} board its shape, and its cells with x, y and neighbours
 * @property {object[]} players number and name
 * @property {object[]} legend name, shape, arrow_to, text
 * @property {object[]} cues name and text
 * @property {Object<string, number>} pixels by cell
 * @property {string[]} keys the commands
 * @property {string[]} board_keys the keys of a real board
 * @property {object} share link, reach and qr of this page, for others
 * @property {object[]} levels level, text, about
 * @property {string[]} keys_of_game
 * @property {Object<string, string[]>} rings
 * @property {Object<string, string>} hues
 * @property {string} score_word
 * @property {string} score_about what the score means
 * @property {boolean} previews whether moves can be previewed
 * @property {boolean} agreed_draws
 * @property {object[]} palette piece, word, side
 * @property {boolean} hidden whether the game hides things
 * @property {Object<string, string>} printed
 */

/**
 * @typedef {object} State the game as it is now, as this page may see it
 * @property {string} type "state"
 * @property {number} ply
 * @property {string} phase
 * @property {?number} to_move
 * @property {string} message
 * @property {string} notice
 * @property {boolean} good_news
 * @property {string[]} heard the sounds that this state asks for
 * @property {object} aloud sentences to be spoken: news since the last state, and what is asked
 * @property {Object<string, object>} cells piece, standing, cue, label
 * @property {Object<string, string>} pieces the side of each piece
 * @property {string[]} legend
 * @property {number[]} scores
 * @property {?number} target
 * @property {Object<string, string>} options with which the game began
 * @property {string[]} names
 * @property {number} moves_from how many of the moves that were told before still hold
 * @property {object[]} moves all others; of a stored game also those that come later
 * @property {object[]} todo
 * @property {?object} draft the position that is being set up
 * @property {?string} unkept why the game is not being saved
 * @property {string[]} disturbed
 * @property {string[]} lost
 * @property {string[]} masked
 * @property {?string[]} felt
 * @property {boolean} rebuilding whether hands lay out the whole board
 * @property {?string} confirm
 * @property {?object} lesson step, of: where a tutorial is, or which puzzle is on the board
 * @property {?object} puzzles grades, solved (of each), daily (a number from 1), streak (of days)
 * @property {?object} outcome winner, text, and about: why that wins
 * @property {string[]} computers
 * @property {boolean} thinking
 * @property {?object} proposed
 * @property {object[]} hints
 * @property {boolean} hinting
 * @property {boolean} coaching
 * @property {?string} stumped
 * @property {object[]} menu
 * @property {object[]} sides
 * @property {string[]} called
 * @property {object[]} goals
 * @property {object[]} keys
 * @property {?object} travel
 * @property {?object} arranging
 * @property {?object} faces
 * @property {?object} clock left (seconds a player) and running (a player or null)
 * @property {boolean} redo whether there is something to make again
 * @property {string} assistance "casual", or "strict": no hints and no taking back
 * @property {?string} hands "automatic" or "mine" on a simulated board
 */

/**
 * @typedef {object} Guide how the game is played at its level
 * @property {string} type "guide"
 * @property {?string} level
 * @property {object[]} rules text, and pictures of pieces, edits and the way of a move
 * @property {?string} notation
 * @property {string} tutorial the game whose tutorial teaches this one; empty if there is none
 * @property {boolean} puzzles whether the game has any
 */

/**
 * @typedef {object} Preview what a touch of a cell would make and take
 * @property {string} type "preview"
 * @property {string} cell
 * @property {number} ply
 * @property {Object<string, string>} cells cues
 * @property {string[]} legend
 * @property {string} text "" where nothing is to be told
 */

/**
 * @typedef {object} Look the game as it was after some moves: in place of what State tells
 * @property {string} type "look"
 * @property {number} ply
 * @property {string} phase
 * @property {?number} to_move
 * @property {string} message
 * @property {string} notice
 * @property {boolean} good_news
 * @property {Object<string, object>} cells
 * @property {Object<string, string>} pieces
 * @property {string[]} legend
 * @property {number[]} scores
 * @property {object[]} hints
 * @property {object[]} menu
 * @property {?object} proposed
 * @property {boolean} thinking
 * @property {object[]} sides
 * @property {string[]} called
 * @property {object[]} goals
 * @property {object[]} keys
 * @property {?object} travel
 * @property {?object} draft
 * @property {number} take_backs how often to take back until the game stands so, 0 if it cannot
 * @property {string} rgb its lights, as in Lights
 */

/**
 * @typedef {object} Lights
 * @property {string} type "lights"
 * @property {string} rgb six hexadecimal digits a pixel
 */

/**
 * @typedef {object} Analysis how the game went, as far as that is known
 * @property {string} type "analysis"
 * @property {number} moves 0 where nothing was asked
 * @property {object[]} points
 * @property {?number} turning
 * @property {boolean} done
 * @property {?number} final
 * @property {?string} trouble
 */

/**
 * @typedef {object} Seat this page's seat
 * @property {string} type "seat"
 * @property {?number} player
 * @property {?string} key where it is new
 * @property {?string} error why this page has not the seat that it asked for
 * @property {?number} void the player whose key is not valid any more
 */

/**
 * @typedef {object} Seats
 * @property {string} type "seats"
 * @property {object[]} seats player, taken, link, qr
 */

/**
 * @typedef {object} Error
 * @property {string} type "error"
 * @property {string} text why a message was refused
 */

/**
 * @typedef {Locked} WaitingHello the first message of the page of a service that does not play yet:
 *   all of Locked but seats, also of type "hello", and
 * @property {string} page "waiting"
 */

/**
 * @typedef {object} Waiting why a service does not play yet
 * @property {string} type "waiting"
 * @property {string} page
 * @property {string} why
 * @property {string} detail
 * @property {boolean} taken
 * @property {?string} strip
 * @property {boolean} spi_off
 * @property {?object} found
 */

/** Put a finger on a cell or key of a simulated board. */
export const press = (pointer, spot) => ({ do: "press", pointer, spot });

/** Take a finger off a simulated board. */
export const lift = (pointer) => ({ do: "lift", pointer });

/** Press and release a key of the game. */
export const pressKey = (name) => ({ do: "key", name });

/** Give a command. */
export const giveCommand = (name) => ({ do: "command", name });

/** Answer no to the question whether a command is meant. */
export const dismiss = () => ({ do: "dismiss" });

/** Touch a masked cell, or pause a replay. */
export const touchCell = (cell) => ({ do: "touch", cell });

/** Ask what a touch of a cell would make and take. */
export const preview = (cell) => ({ do: "preview", cell });

/** Take exactly these cells out of sensing. */
export const maskCells = (cells) => ({ do: "mask", cells });

/** Name the players, "" for no name. */
export const namePlayers = (names) => ({ do: "name", names });

/** Put a piece on a cell of the position that is being set up, "" for none. */
export const layPiece = (cell, piece) => ({ do: "lay", cell, piece });

/** Choose the piece that touches set in a position. */
export const pickPiece = (piece) => ({ do: "pick", piece });

/** Set score and next player of the position that is being set up. */
export const setScore = (score, toMove) => ({ do: "score", score, to_move: toMove });

/** Choose a computer's level for each player, "" for a person. */
export const setOpponents = (computers) => ({ do: "opponents", computers });

/** Begin a new game, of this or another game; null options are those of the last one. */
export const startGame = (game, options, computers, names) => ({ do: "start", game, options, computers, names });

/** Open another activity, such as the unfinished game of another game. */
export const openActivity = (kind, game) => ({ do: "open", kind, game });

/** Play with another board: draw a room with the code "new", or join one. */
export const enterRoom = (broker, tls, user, password, code, name, options) => ({ do: "room", broker, tls, user, password, code, name, options });

/** Play alone again. */
export const leaveRoom = () => ({ do: "leave" });

/** Say something to the other board. */
export const sayPhrase = (phrase) => ({ do: "say", phrase });

/** Let a simulated board play its own hands, or leave that to people. */
export const switchHands = (automatic) => ({ do: "hands", automatic });

/** Look at the position after so many moves, or at the puzzle of a number. */
export const look = (ply) => ({ do: "look", ply });

/** Ask how the game went. */
export const analyse = () => ({ do: "analyse" });

/** Choose the language of this page. */
export const chooseLanguage = (lang) => ({ do: "language", lang });

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
