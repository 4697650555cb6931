export { listActivity, undoChange } from './activity';
export { deleteAccount, eraseExpiredGuests, getRetention } from './delete-account';
export { exportAccount } from './export-account';
