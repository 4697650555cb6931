/**
 * Runs in the document of an app before the app's own scripts. No policy of Chromium covers WebRTC, so its constructors
 * are removed. Another document would have them again, so the app gets none: a frame is removed in the microtask after
 * its insertion, and its document loads in a later task. Each shadow root is watched too; what creates one without a call
 * of `attachShadow` is removed (`document.write`, `setHTMLUnsafe`, `parseHTMLUnsafe`). All functions are read before the
 * app can replace them.
 */
const guard = `(() => {
  const { apply } = Reflect;
  const { remove, attachShadow } = Element.prototype;
  const { querySelector: inDocument } = Document.prototype;
  const { querySelector: inFragment } = DocumentFragment.prototype;
  const { observe } = MutationObserver.prototype;
  const Observer = MutationObserver;
  const watch = (root, query) => {
    const clean = () => {
      for (let frame; (frame = apply(query, root, ['iframe,frame,object,embed,fencedframe,portal'])); ) apply(remove, frame, []);
    };
    apply(observe, new Observer(clean), [root, { childList: true, subtree: true }]);
  };
  watch(document, inDocument);
  Element.prototype.attachShadow = function (options) {
    const root = apply(attachShadow, this, [{ ...options, clonable: false }]);
    watch(root, inFragment);
    return root;
  };
  for (const owner of [Document, Document.prototype, Element.prototype, ShadowRoot.prototype])
    for (const name of Object.getOwnPropertyNames(owner)) if (/^write(ln)?$|Unsafe$/.test(name)) delete owner[name];
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete window[name];
  document.currentScript.remove();
})();`;

/**
 * A function of the sandbox, as source text: returns the page of an app with its guard, and without the attribute that
 * makes a template a shadow root. The name of an attribute has no other spelling in HTML.
 */
export const guardedPage = `(html) => ${JSON.stringify(`<script>${guard}</script>`).replaceAll('</', '<\\/')} + html.replace(/shadowrootmode/gi, 'data-$&')`;
