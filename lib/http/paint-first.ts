import type { ServerResponse } from 'node:http';

const endOfHead = '</head>';
/** How much is held of an answer whose head has no end yet, bytes; then it is given on as it is. */
const mostHeadBytes = 65_536;
/** A script as Next writes it into the head: its address and its nonce. */
const headScript = /<script src="([^"]+)" async="" nonce="([^"]+)"><\/script>/g;

/**
 * Runs in the page: adds the scripts once the first content is painted. At once in a page that nobody looks at (it is not
 * painted) and in a browser that does not tell; after two seconds whatever happens. Where the paint takes longer than 0.4 s
 * the line is slow, and they are fetched meanwhile.
 */
const starter = `(function(urls){
var page=document,nonce=page.currentScript.nonce,begun=false;
function add(name,values){page.head.appendChild(Object.assign(page.createElement(name),{nonce:nonce},values))}
function fetchThem(){if(!begun)urls.forEach(function(url){add("link",{rel:"preload",as:"script",fetchPriority:"low",href:url})})}
function begin(){if(begun)return;begun=true;urls.forEach(function(url){add("script",{src:url,async:true})})}
function look(list){if(list.getEntriesByName("first-contentful-paint").length)begin()}
var told=window.PerformanceObserver&&(PerformanceObserver.supportedEntryTypes||[]).indexOf("paint")>=0;
if(page.visibilityState==="hidden"||!told)begin();
else{new PerformanceObserver(look).observe({type:"paint",buffered:true});setTimeout(fetchThem,400);setTimeout(begin,2000)}
})`.replaceAll('\n', '');

/**
 * Lets a page be seen before its scripts are fetched and run. Written by Next they share the line with what the screen waits
 * for, and are run as soon as they are there, which on a phone keeps the screen empty for as long as that takes. What is no
 * HTML passes untouched, and so does what Next adds after the head.
 */
export function paintFirst(response: ServerResponse): void {
  const { write, end } = response;
  let held = Buffer.alloc(0);
  const isPage = (): boolean => String(response.getHeader('content-type')).startsWith('text/html');
  const letThrough = (): void => {
    Object.assign(response, { write, end });
  };
  /** What may be sent now; null while the head is not there as a whole. */
  const take = (chunk: Uint8Array | string, last: boolean): Uint8Array | string | null => {
    if (held.length === 0 && !isPage()) {
      letThrough();
      return chunk;
    }
    held = Buffer.concat([held, Buffer.from(chunk as Uint8Array)]);
    const at = held.indexOf(endOfHead);
    if (at < 0 && !last && held.length < mostHeadBytes) return null;
    letThrough();
    if (at < 0) return held;
    if (!response.headersSent) response.removeHeader('content-length');
    return Buffer.concat([Buffer.from(scriptsLater(held.toString('utf8', 0, at))), held.subarray(at)]);
  };
  Object.assign(response, {
    write(chunk: Uint8Array | string, ...rest: unknown[]): boolean {
      const given = take(chunk, false);
      return given === null || Reflect.apply(write, response, [given, ...rest]);
    },
    end(chunk: Uint8Array | string | undefined, ...rest: unknown[]): ServerResponse {
      const given = take(chunk ?? '', true);
      return Reflect.apply(end, response, given?.length ? [given, ...rest] : rest);
    },
  });
}

/** The head without Next's scripts, and with the one that adds them later: before the style sheet, which it would wait for. */
function scriptsLater(head: string): string {
  const scripts = [...head.matchAll(headScript)];
  const nonce = scripts[0]?.[2];
  if (nonce === undefined) return head;
  const urls = scripts.map(([, url = '']) => url.replaceAll('&amp;', '&'));
  const list = JSON.stringify(urls).replaceAll('<', '\\u003c');
  const lighter = head.replace(headScript, '');
  const at = lighter.search(/<link rel="stylesheet"|$/);
  return `${lighter.slice(0, at)}<script nonce="${nonce}">${starter}(${list})</script>${lighter.slice(at)}`;
}
