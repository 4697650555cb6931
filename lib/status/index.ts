export { getStatus } from './get-status';
export { type Checks, recordStatus } from './record-status';
