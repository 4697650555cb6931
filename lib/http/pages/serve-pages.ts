import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import type { Request, Response } from 'express';
import { sessionCookieFromHeader } from '../credentials';
import { CLICK_RETRIES, CLICK_RETRY_MS, MAX_HEAD_BYTES, SCRIPT_PRELOAD_MS, SCRIPT_START_MS } from '../limits';

export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const compress = compression();

/**
 * Serves Next's responses, compressed with Brotli or gzip. Every page replays events from before hydration. Pages of
 * anonymous visitors defer their scripts, because only signed-in users have them cached.
 */
export function servePages(pages: PageHandler): PageHandler {
  return (request, response) =>
    new Promise((resolve, reject) => {
      compress(request as Request, response as Response, () => {
        const isAnonymous = sessionCookieFromHeader(request.headers.cookie ?? '') === null;
        rewriteHead(response, (head) => {
          const withReplay = injectEventReplay(head);
          return isAnonymous ? deferScripts(withReplay) : withReplay;
        });
        pages(request, response).then(resolve, reject);
      });
    });
}

const endOfHead = '</head>';

/**
 * Rewrites the head of an HTML response while it is written. Does not change other responses, the body, and a head
 * longer than {@link MAX_HEAD_BYTES}.
 */
export function rewriteHead(response: ServerResponse, rewrite: (head: string) => string): void {
  const { write, end } = response;
  let buffered = Buffer.alloc(0);
  const isPage = (): boolean => String(response.getHeader('content-type')).startsWith('text/html');
  const passThrough = (): void => {
    Object.assign(response, { write, end });
  };
  /** Returns the bytes to send now; null while the head is incomplete. */
  const transform = (chunk: Uint8Array | string, last: boolean): Uint8Array | string | null => {
    if (buffered.length === 0 && !isPage()) {
      passThrough();
      return chunk;
    }
    buffered = Buffer.concat([buffered, Buffer.from(chunk as Uint8Array)]);
    const at = buffered.indexOf(endOfHead);
    if (at < 0 && !last && buffered.length < MAX_HEAD_BYTES) return null;
    passThrough();
    if (at < 0) return buffered;
    if (!response.headersSent) response.removeHeader('content-length');
    return Buffer.concat([Buffer.from(rewrite(buffered.toString('utf8', 0, at))), buffered.subarray(at)]);
  };
  Object.assign(response, {
    write(chunk: Uint8Array | string, ...rest: unknown[]): boolean {
      const output = transform(chunk, false);
      return output === null || Reflect.apply(write, response, [output, ...rest]);
    },
    end(chunk: Uint8Array | string | undefined, ...rest: unknown[]): ServerResponse {
      const output = transform(chunk ?? '', true);
      return Reflect.apply(end, response, output?.length ? [output, ...rest] : rest);
    },
  });
}

/** A script tag that Next writes into the head: URL and nonce. */
const headScriptPattern: RegExp = /<script src="([^"]+)" async="" nonce="([^"]+)"><\/script>/g;

/**
 * Adds a script to the head, with the nonce of Next's scripts. It precedes the style sheet, which would block it.
 * Returns a head without scripts unchanged.
 */
function injectIntoHead(head: string, script: string): string {
  const [, , nonce] = head.matchAll(headScriptPattern).next().value ?? [];
  if (nonce === undefined) return head;
  const at = head.search(/<link rel="stylesheet"|$/);
  return `${head.slice(0, at)}<script nonce="${nonce}">${script}</script>${head.slice(at)}`;
}

/** React's flags `Placement` and `Hydrating`: a fiber that is rendered, but not committed, and handles no events yet. */
const UNCOMMITTED = 4_098;

/**
 * Runs in the page: stores the last click, submit or shortcut before hydration and replays it on the event of
 * `components/shell/root-effects.tsx`. After React's root exists, React itself replays events, except dialog shortcuts.
 * React drops a click on a part of the page whose script is still loading; such a click is repeated when React has
 * hydrated the button. `retry` runs after React's own listener, which hydrates the button first if it can.
 */
const replayScript = `(function(){
var page=document,last=null;
function isHydrated(){return Object.keys(page).some(function(name){return name.indexOf("__reactContainer$")===0})}
function press(event){var button=event.target.closest("button[type=button]");
if(!button)return;if(isHydrated())setTimeout(function(){retry(event)});else last=function(){button.click()}}
function send(event){var form=event.target,by=event.submitter;
if(form.hasAttribute("action")||isHydrated())return;event.preventDefault();
last=function(){form.requestSubmit(by&&by.type==="submit"?by:null)}}
function opens(event){if(!/^[k/]$/i.test(event.key)||event.altKey)return false;
return event.metaKey||event.ctrlKey&&!(/^(Mac|iP)/.test(navigator.platform)&&event.target.closest("input,textarea,select"))}
function sends(event){return event.key==="Enter"&&!event.shiftKey&&!event.isComposing&&event.keyCode!==229&&
event.target.matches("[enterkeyhint=send]")&&!isHydrated()}
function key(event){var at=event.target;if(!opens(event)&&!sends(event))return;event.preventDefault();
var same={key:event.key,ctrlKey:event.ctrlKey,metaKey:event.metaKey,shiftKey:event.shiftKey,bubbles:true,cancelable:true};
last=function(){at.dispatchEvent(new KeyboardEvent("keydown",same))}}
var kinds={click:press,submit:send,keydown:key};
function each(change){for(var kind in kinds)change.call(page,kind,kinds[kind],true)}
each(page.addEventListener);
var waiting=null;
function isOwned(button){var name=Object.keys(button).find(function(name){return name.indexOf("__reactFiber$")===0});
for(var fiber=button[name];fiber;fiber=fiber.return)if(!fiber.alternate&&fiber.flags&${UNCOMMITTED})return false;
return!!name}
function retry(event){var button=event.target.closest("button[type=button]"),left=${CLICK_RETRIES};
if(!button||button===waiting||isOwned(button))return;waiting=button;
(function wait(){if(waiting!==button)return;if(isOwned(button)){waiting=null;button.click()}
else if(button.isConnected&&left-->0)setTimeout(wait,${CLICK_RETRY_MS});else waiting=null})()}
addEventListener("parley:listens",function(){each(page.removeEventListener);page.addEventListener("click",retry,true);
if(last)last()},{once:true})
})()`.replaceAll('\n', '');

/** Adds the script that replays events from before hydration. */
export function injectEventReplay(head: string): string {
  return injectIntoHead(head, replayScript);
}

/**
 * Runs in the page: adds the scripts after the first contentful paint, or immediately in a hidden page, which is never
 * painted, and in browsers without paint timing. On slow connections, they are preloaded before the paint.
 */
const loaderScript = `(function(urls){
var page=document,nonce=page.currentScript.nonce,begun=false;
function add(name,values){page.head.appendChild(Object.assign(page.createElement(name),{nonce:nonce},values))}
function fetchThem(){if(!begun)urls.forEach(function(url){add("link",{rel:"preload",as:"script",fetchPriority:"low",href:url})})}
function begin(){if(begun)return;begun=true;urls.forEach(function(url){add("script",{src:url,async:true})})}
function onPaint(list){if(list.getEntriesByName("first-contentful-paint").length)begin()}
var supported=window.PerformanceObserver&&(PerformanceObserver.supportedEntryTypes||[]).indexOf("paint")>=0;
if(page.visibilityState==="hidden"||!supported)begin();
else{new PerformanceObserver(onPaint).observe({type:"paint",buffered:true});setTimeout(fetchThem,${SCRIPT_PRELOAD_MS});setTimeout(begin,${SCRIPT_START_MS})}
})`.replaceAll('\n', '');

/**
 * Replaces Next's scripts in the head with one that adds them after the first paint (docs/decisions/0014). Otherwise,
 * they compete with the page's content for bandwidth and run before it is painted.
 */
export function deferScripts(head: string): string {
  const urls = [...head.matchAll(headScriptPattern)].map(([, url = '']) => url.replaceAll('&amp;', '&'));
  const list = JSON.stringify(urls).replaceAll('<', '\\u003c');
  return injectIntoHead(head, `${loaderScript}(${list})`).replace(headScriptPattern, '');
}
