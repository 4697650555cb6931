export { listActivity, undoChange } from './activity';
export { deleteAccount, getRetention } from './delete-account';
export { exportAccount } from './export-account';
