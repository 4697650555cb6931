import { headScriptPattern, injectIntoHead } from './head-scripts';

/**
 * Runs in the page: adds the scripts once the first content is painted. At once in a page that nobody looks at (it is not
 * painted) and in a browser that does not tell; after two seconds whatever happens. Where the paint takes longer than 0.4 s
 * the line is slow, and they are fetched meanwhile.
 */
const loaderScript = `(function(urls){
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
 * The head of a page without Next's scripts, and with one that adds them once the page can be seen. Written by Next they share
 * the line with what the screen waits for, and are run as soon as they are there, which on a phone keeps the screen empty for
 * as long as that takes.
 */
export function deferScripts(head: string): string {
  const urls = [...head.matchAll(headScriptPattern)].map(([, url = '']) => url.replaceAll('&amp;', '&'));
  const list = JSON.stringify(urls).replaceAll('<', '\\u003c');
  return injectIntoHead(head, `${loaderScript}(${list})`).replace(headScriptPattern, '');
}
