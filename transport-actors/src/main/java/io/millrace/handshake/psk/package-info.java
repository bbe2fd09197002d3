/**
 * The handshake with a pre-shared key: for tests and closed labs, because every holder of the key
 * is everyone's peer, and a later holder can read earlier recordings.
 *
 * <p>Four datagrams:
 *
 * <pre>
 * initiator                                        responder
 *   Init   version, incarnation, nonce, MAC   ---&gt;
 *          &lt;---  Reply  version, incarnation, both nonces, advert sealed
 *   Finish both nonces, advert sealed         ---&gt;          path established
 *          &lt;---  Done   both nonces, MAC
 *   path established
 * </pre>
 *
 * <p>Keys: {@code root = HKDF-Extract("millrace1 psk", key)}; from it, by {@link
 * io.millrace.crypto.Hkdf#expandLabel}, the keys of the MACs of Init ({@code psk init}) and Reject
 * ({@code psk reject}). Per exchange {@code secret = HKDF-Extract(both nonces, root)}; from it,
 * with the protocol version and both incarnations as context, the keys of the adverts ({@code psk
 * reply}, {@code psk finish}); and, with the SHA-256 of Reply and Finish added to the context, the
 * key of Done's MAC ({@code psk done}) and the path secret ({@code psk path}). The pre-shared key
 * itself enciphers nothing. Both sides bring 32 fresh random bytes, so no restart repeats a key.
 *
 * <p>If both nodes begin at the same time there are two exchanges and, in the end, two paths.
 */
@NullMarked
package io.millrace.handshake.psk;

import org.jspecify.annotations.NullMarked;
