import { getAgentMerchant, putAgentMerchant } from '../agent-merchant';
import type { Row } from '../row';

export const approvalRows: Row[] = [
  { method: 'GET', path: '/api/agents/:slug/merchant', endpoint: getAgentMerchant },
  { method: 'PUT', path: '/api/agents/:slug/merchant', endpoint: putAgentMerchant },
];
