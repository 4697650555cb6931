/** How clients may sign proofs of possession (RFC 9449 §5.1). */
export const DPOP_ALGORITHMS = ['ES256', 'EdDSA'];

/** What a request shows to prove that it comes from whoever holds the key (RFC 9449 §4). */
export interface PresentedProof {
  /** The `DPoP` header field as it came; several are joined by commas, which no proof has. */
  proof: string;
  method: string;
  /** Address of the request, without query. */
  url: string;
}
