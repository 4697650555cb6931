export { deleteAccount, getRetention } from './delete-account';
export { exportAccount } from './export-account';
export { listActivity } from './list-activity';
export { undoChange } from './undo-change';
