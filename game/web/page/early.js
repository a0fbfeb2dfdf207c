/**
 * Connects while the rest of the page is still on its way, and keeps what the server says until then.
 */

import { socketAddress } from "./link.js";

const socket = new WebSocket(socketAddress());
const heard = [];

socket.onmessage = ({ data }) => {
  heard.push(data);
  const { art } = JSON.parse(data);
  if (!art) return;
  const drawings = document.createElement("link");
  Object.assign(drawings, { rel: "modulepreload", href: art });
  document.head.append(drawings);
};

globalThis.early = { socket, heard };
