import { endpoint } from '../../http/endpoint';
import { runChecks } from '..';
import { checkInputSchema, checkReportSchema } from '../schema-checks';

/** `POST /api/agents/{slug}/checks`: the checks of `parley test`, by Parley. */
export const postAgentChecks = endpoint({
  method: 'POST',
  path: '/api/agents/:slug/checks',
  auth: { scope: 'agents:write' },
  body: checkInputSchema,
  response: checkReportSchema,
  errors: ['conflict', 'rate_limited'],
  docs: {
    tag: 'Console',
    summary: 'Test an agent',
    description:
      'Calls the agent as callers do and reports what is wrong: its card, examples, streams, cancellation, questions, files, errors, limits, versions and carts. Takes up to a minute.',
  },
  handle: ({ ctx, input, params: { slug = '' } }) => runChecks({ ctx, input: { ...input, slug } }),
});
