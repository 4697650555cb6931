import { z } from 'zod';
import { getActivity, postDeletion, postExport } from '../account';
import { activityView } from '../answers/account';
import { anyObject, pageOf } from '../answers/common';
import type { Route } from '../route';

export const accountRoutes: Route[] = [
  {
    method: 'GET',
    path: '/api/account/activity',
    endpoint: getActivity,
    docs: {
      tag: 'Account',
      summary: 'List what happened to your account',
      query: z.object({ cursor: z.string().optional() }),
      response: pageOf(activityView),
    },
  },
  {
    method: 'POST',
    path: '/api/account/export',
    endpoint: postExport,
    docs: { tag: 'Account', summary: 'Download everything that is kept about you', response: anyObject },
  },
  {
    method: 'POST',
    path: '/api/account/deletion',
    endpoint: postDeletion,
    docs: { tag: 'Account', summary: 'Delete your account', problems: ['sign_in_again', 'conflict'] },
  },
];
