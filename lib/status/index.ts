export { type Checks, getStatus, recordStatus } from './status';
