export type { RpcRequest } from '../../jsonrpc';
export { encodeBareEvents, wantsBareEvents } from './bare-events';
export { type DataTexts, findDataTexts } from './client/read-part';
export {
  type AgentErrorObject,
  type AgentItem,
  type AgentProtocol,
  readAgentError,
  readAgentResult,
} from './client/read-result';
export { type AgentRequest, toAgentRequest, toAgentRestRequest } from './client/write-request';
export { type Dialect, isVersion1, type LegacyTraits } from './dialect';
export {
  chooseDialect,
  fallbackDialect,
  legacyDialect,
  legacySystemDialect,
  readRequest,
  restDialect,
  toPushBody,
} from './registry';
export { stateFromText } from './states';
export { grpcErrorOf, type RestOperation, type RestVersion, restErrorOf, toRpc } from './transcode-rest';
export type { LegacySystem } from './v01/variants';
