/**
 * The messages between the page of a maker's tool and its server, as messages.js has them for games.
 */

/**
 * @typedef {object} ToolHello the first message of the page of a maker's tool
 * @property {string} type "hello"
 * @property {string} page "tool"
 * @property {string} version
 * @property {boolean} simulated
 * @property {object} board its shape, and its cells with x and y
 */

/**
 * @typedef {object} ToolScreen what a maker's tool shows
 * @property {string} type "screen"
 * @property {string} title
 * @property {string} message
 * @property {Object<string, object>} cells text, state, level, values
 * @property {object[]} actions name, label, key
 * @property {?number[]} progress
 * @property {string[]} columns
 */

/** Do an action that a maker's tool offers. */
export const doAction = (name) => ({ do: "action", name });
