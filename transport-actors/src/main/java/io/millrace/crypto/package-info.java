/**
 * Path secrets, the keys derived from them, authenticated encryption of packets, and the contract
 * of handshake providers.
 */
@NullMarked
package io.millrace.crypto;

import org.jspecify.annotations.NullMarked;
