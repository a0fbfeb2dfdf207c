/**
 * What makes this page an app: its service worker, where the browser allows one, and the words for
 * the time when the board is out of reach.
 */

import { device } from "./storage.js";
import { t } from "./words.js";

/** Keep the words of the page that is shown while the board is out of reach, and its worker. */
export function install(lang) {
  const words = {
    "page.offline": t("page.offline"),
    "page.offline_text": t("page.offline_text"),
  };
  device.write("offline", JSON.stringify({ lang, words }));
  // Refused where the certificate is the board's own, and in private windows.
  navigator.serviceWorker?.register("/worker.js").catch(() => {});
}
