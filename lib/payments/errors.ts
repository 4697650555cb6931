import { ParleyError } from '../platform/errors';

/** One and the same for an order that there is not and one of somebody else. */
export function orderNotFound(): ParleyError {
  return new ParleyError('not_found', 'There is no such order of yours.');
}

/** One and the same for a sale that there is not and one of somebody else. */
export function saleNotFound(): ParleyError {
  return new ParleyError('not_found', 'There is no such sale of yours.');
}

export function refundInProgress(): ParleyError {
  return new ParleyError('conflict', 'A refund of this order is under way already.');
}
