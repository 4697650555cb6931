import type { Endpoint } from '../../http/endpoint';
import { upstreamCard } from './agent-cards';
import {
  agentIcon,
  deleteAgent,
  deleteAgentCredentials,
  getAgentOwnership,
  getAgents,
  getOneAgent,
  getOnePublisher,
  patchAgent,
  postAgent,
  postAgentOwnership,
  putAgentCredentials,
  putOwnPublisher,
} from './agents';
import { getCardVersions, postAgentPreview, postApproveCard } from './card-updates';
import { postImport, postImportCheck, postImportList } from './imports';

export const catalogEndpoints: Endpoint[] = [
  getAgents,
  postAgent,
  postAgentPreview,
  postImport,
  postImportCheck,
  postImportList,
  getOneAgent,
  patchAgent,
  deleteAgent,
  putAgentCredentials,
  deleteAgentCredentials,
  getAgentOwnership,
  postAgentOwnership,
  getCardVersions,
  getOnePublisher,
  putOwnPublisher,
  agentIcon,
  postApproveCard,
  upstreamCard,
];
