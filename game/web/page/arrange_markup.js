/**
 * Puts into the document what a player lays out pieces with in secret, which arrange.js serves.
 */

document.querySelector(".below").insertAdjacentHTML("beforebegin", `
<section class="arrange" id="arrange" aria-labelledby="arrange-title" hidden>
  <div class="row wraps">
    <h2 id="arrange-title" tabindex="-1" data-words="page.arrange"></h2>
    <span class="laid-count" id="arrange-count" role="status"></span>
  </div>
  <p class="wrong" id="arrange-wrong" role="alert"></p>
  <p class="unseen" id="arrange-said" role="status"></p>
  <div class="plots" id="plots" role="group" data-words-label="page.arrange_squares"></div>
  <div id="tray-part">
    <div class="tray" id="tray" role="group" data-words-label="page.arrange_tray"></div>
  </div>
  <div class="arrange-keys row wraps" id="arrange-open">
    <button type="button" class="primary" id="arrange-seal"
            data-words="page.arrange_seal"></button>
    <button type="button" id="arrange-random" data-words="page.arrange_random"></button>
    <button type="button" id="arrange-mirror" data-words="page.arrange_mirror"></button>
    <button type="button" id="arrange-undo" data-words="page.arrange_undo"></button>
    <button type="button" id="arrange-clear"></button>
  </div>
  <div class="arrange-keys row wraps" id="arrange-closed" hidden>
    <p data-words="page.arrange_sealed"></p>
    <button type="button" id="arrange-change" data-words="page.arrange_change"></button>
  </div>
  <p class="hint" id="arrange-how" data-words="page.arrange_how"></p>
  <p class="hint" data-words="page.letters"></p>
  <details class="kept">
    <summary data-words="page.arrange_kept"></summary>
    <p class="none" id="set-up-none" data-words="page.arrange_none"></p>
    <ul id="set-up-list"></ul>
    <form class="row" id="set-up-form">
      <input type="text" class="text" id="set-up-name" autocomplete="off"
             data-words-label="page.arrange_name">
      <button data-words="page.arrange_keep"></button>
    </form>
    <label class="hint" for="set-up-line" data-words="page.arrange_line"></label>
    <textarea class="text" id="set-up-line" rows="3" spellcheck="false" autocapitalize="off"
              autocomplete="off"></textarea>
    <div class="arrange-keys row wraps">
      <button type="button" id="set-up-write" data-words="page.arrange_write"></button>
      <button type="button" id="set-up-read" data-words="page.arrange_read"></button>
    </div>
    <p class="wrong" id="set-up-said" role="alert"></p>
  </details>
</section>
`);
