export { recordCallError } from './record-call-error';
export { listCallErrors } from './store';
