import { z } from 'zod';
import { getActivity, postDeletion, postExport } from '../account';
import { activityView } from '../answers/account';
import { anyObject, pageOf } from '../answers/common';
import type { Row } from '../row';

export const accountRows: Row[] = [
  {
    method: 'GET',
    path: '/api/account/activity',
    endpoint: getActivity,
    about: {
      part: 'Account',
      summary: 'List what happened to your account',
      query: z.object({ cursor: z.string().optional() }),
      answer: pageOf(activityView),
    },
  },
  {
    method: 'POST',
    path: '/api/account/export',
    endpoint: postExport,
    about: { part: 'Account', summary: 'Download everything that is kept about you', answer: anyObject },
  },
  {
    method: 'POST',
    path: '/api/account/deletion',
    endpoint: postDeletion,
    about: { part: 'Account', summary: 'Delete your account', problems: ['sign_in_again', 'conflict'] },
  },
];
