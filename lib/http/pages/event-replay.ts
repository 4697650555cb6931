import { injectIntoHead } from './head-scripts';

/**
 * Runs in the page: keeps the last thing that somebody did before the page listened (a button, a form without an address of its
 * own, Enter in a message, the keys of a dialog) and does it again when `components/ui/early-presses.tsx` says that it listens.
 * From React's first moment on it is React that keeps what it is not ready for; of the keys of dialogs it knows nothing, and
 * who opens them lets be what has been taken.
 */
const replayScript = `(function(){
var page=document,last=null;
function isHeard(){return Object.keys(page).some(function(name){return name.indexOf("__reactContainer$")===0})}
function press(event){var button=event.target.closest("button[type=button]");
if(button&&!isHeard())last=function(){button.click()}}
function send(event){var form=event.target,by=event.submitter;
if(form.hasAttribute("action")||isHeard())return;event.preventDefault();
last=function(){form.requestSubmit(by&&by.type==="submit"?by:null)}}
function opens(event){if(!/^[k/]$/i.test(event.key)||event.altKey)return false;
return event.metaKey||event.ctrlKey&&!(/^(Mac|iP)/.test(navigator.platform)&&event.target.closest("input,textarea,select"))}
function sends(event){return event.key==="Enter"&&!event.shiftKey&&!event.isComposing&&event.keyCode!==229&&
event.target.matches("[enterkeyhint=send]")&&!isHeard()}
function key(event){var at=event.target;if(!opens(event)&&!sends(event))return;event.preventDefault();
var same={key:event.key,ctrlKey:event.ctrlKey,metaKey:event.metaKey,shiftKey:event.shiftKey,bubbles:true,cancelable:true};
last=function(){at.dispatchEvent(new KeyboardEvent("keydown",same))}}
var kinds={click:press,submit:send,keydown:key};
function each(change){for(var kind in kinds)change.call(page,kind,kinds[kind],true)}
each(page.addEventListener);
addEventListener("parley:listens",function(){each(page.removeEventListener);if(last)last()},{once:true})
})()`.replaceAll('\n', '');

/** The head of a page in which nothing is lost that somebody does before it listens. */
export function injectEventReplay(head: string): string {
  return injectIntoHead(head, replayScript);
}
