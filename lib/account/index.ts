export { deleteAccount } from './delete-account';
export { exportAccount } from './export-account';
export { listActivity } from './list-activity';
