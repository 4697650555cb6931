import { previewAgent } from '../catalog';
import { previewInputSchema } from '../catalog/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `POST /api/agents/preview`: what registering an address would do, with every fault and warning of its card. */
export const postAgentPreview: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: previewInputSchema,
  handle: previewAgent,
});
