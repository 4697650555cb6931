import { SCRIPT_PRELOAD_MS, SCRIPT_START_MS } from '../limits';

/** A script tag that Next writes into the head: URL and nonce. */
const headScriptPattern: RegExp = /<script src="([^"]+)" async="" nonce="([^"]+)"><\/script>/g;

/**
 * Adds a script to the head, with the nonce of Next's scripts. It precedes the style sheet, which would block it. A
 * head without scripts is returned unchanged.
 */
function injectIntoHead(head: string, script: string): string {
  const [, , nonce] = head.matchAll(headScriptPattern).next().value ?? [];
  if (nonce === undefined) return head;
  const at = head.search(/<link rel="stylesheet"|$/);
  return `${head.slice(0, at)}<script nonce="${nonce}">${script}</script>${head.slice(at)}`;
}

/**
 * Runs in the page: stores the last click, submit or shortcut before hydration and replays it on the event of
 * `components/shell/root-effects.tsx`. Once React's root exists, React itself replays events, except dialog shortcuts.
 */
const replayScript = `(function(){
var page=document,last=null;
function isHydrated(){return Object.keys(page).some(function(name){return name.indexOf("__reactContainer$")===0})}
function press(event){var button=event.target.closest("button[type=button]");
if(button&&!isHydrated())last=function(){button.click()}}
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
addEventListener("parley:listens",function(){each(page.removeEventListener);if(last)last()},{once:true})
})()`.replaceAll('\n', '');

/** Adds the script that replays events from before hydration. */
export function injectEventReplay(head: string): string {
  return injectIntoHead(head, replayScript);
}

/**
 * Runs in the page: adds the scripts after the first contentful paint, or immediately in a hidden page (never painted)
 * and in browsers without paint timing. On slow connections they are preloaded before the paint.
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
 * Replaces Next's scripts in the head by one that adds them after the first paint (docs/decisions/0014). Otherwise they
 * compete with the page's content for bandwidth and run before it is painted.
 */
export function deferScripts(head: string): string {
  const urls = [...head.matchAll(headScriptPattern)].map(([, url = '']) => url.replaceAll('&amp;', '&'));
  const list = JSON.stringify(urls).replaceAll('<', '\\u003c');
  return injectIntoHead(head, `${loaderScript}(${list})`).replace(headScriptPattern, '');
}
