export { type Checks, getStatus, recordStatus } from './component-status';
