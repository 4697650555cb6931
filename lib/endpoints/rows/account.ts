import { getActivity, postDeletion, postExport } from '../account';
import type { Row } from '../row';

export const accountRows: Row[] = [
  { method: 'GET', path: '/api/account/activity', endpoint: getActivity },
  { method: 'POST', path: '/api/account/export', endpoint: postExport },
  { method: 'POST', path: '/api/account/deletion', endpoint: postDeletion },
];
