/**
 * Links for others: as text to open, copy or send on, and as a QR code for a phone's camera. A link
 * that only this computer can open says so, with what to do, and gets no code.
 */

import { button, html, svg, write } from "./dom.js";
import { t } from "./words.js";

const HERE = /^(localhost|127\.[\d.]+|\[::1\])$/;

/** Tell whether a link leads to the computer itself, from wherever it is opened. */
export function isLocal(link) {
  return HERE.test(new URL(link).hostname);
}

/** Draw a QR code that the server has made. */
export function qrCode({ size, path }, label) {
  return svg(
    "svg", {
      class: "code", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label,
    },
    svg("rect", { width: size, height: size, fill: "#ffffff" }),
    svg("path", { d: path, fill: "#000000" }),
  );
}

/** Return a link as people type it: the PIN in it is entered by itself. */
export function typed(link) {
  return link.replace(/pin=\d+&?/, "").replace(/#$/, "");
}

/** Make the parts that show how others play here, and how they only watch, as far as they may. */
export function shared({ reach, play, watch, pin }) {
  const how = { open: t("page.share_open"), pin: t("page.share_pin") }[reach];
  return [
    ...(play ? part(play, t("page.share_play"), pin ? t("page.share_with_pin", { pin }) : how) : []),
    ...(watch ? part(watch, t("page.share_watch"), t("page.share_only")) : []),
  ];
}

function part({ link, qr }, title, how) {
  return [
    html("h3", {}, title), ...(how ? [html("p", {}, how)] : []), ...invitation(link, qr),
    ...(isLocal(link) ? [] : [passOn(link)]),
  ];
}

/** Make the parts that show a link: the code and the link, or why other devices cannot open it. */
export function invitation(link, qr) {
  // Opened here it would take this page's place, which many people may see.
  const anchor = html("a", { href: link, target: "_blank", rel: "noopener" }, typed(link));
  if (isLocal(link)) return [html("p", { class: "hint" }, t("page.link_local")), anchor];
  return qr ? [qrCode(qr, t("page.sides_code")), anchor] : [anchor];
}

/** Make a button that copies a text, hidden where the browser does not let it. */
export function copyButton(text) {
  const made = button({}, async () => {
    await navigator.clipboard.writeText(text).catch(() => {});
    write(made, t("page.waiting_copied"));
  }, t("page.waiting_copy"));
  made.hidden = !navigator.clipboard;
  return made;
}

/** Make a button that sends a link on, where the device can, or else copies it. */
export function passOn(link) {
  const canSend = Boolean(navigator.share);
  const made = button({}, async () => {
    try {
      if (canSend) await navigator.share({ title: document.title, url: link });
      else await navigator.clipboard.writeText(link);
      if (!canSend) write(made, t("page.waiting_copied"));
    } catch {
      // Changing one's mind is no error.
    }
  }, canSend ? t("page.share_send") : t("page.waiting_copy"));
  made.hidden = !canSend && !navigator.clipboard;
  return made;
}
