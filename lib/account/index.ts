export { deleteAccount } from './delete-account';
export { exportAccount } from './export-account';
export { getRetention } from './get-retention';
export { listActivity } from './list-activity';
export { undoChange } from './undo-change';
