import { a2aJsonrpc } from '../a2a-jsonrpc';
import type { Row } from '../row';

export const gatewayRows: Row[] = [{ method: 'POST', path: '/agents/:slug/a2a/jsonrpc', endpoint: a2aJsonrpc }];
