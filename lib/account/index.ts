export { listActivity, undoChange } from './activity';
export { deleteAccount, getRetention } from './delete-account';
export { eraseExpiredGuests } from './erase-guests';
export { exportAccount } from './export-account';
