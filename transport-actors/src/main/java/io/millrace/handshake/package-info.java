/**
 * The common parts of all handshake providers: the advert that nodes exchange, and a socket for
 * datagrams.
 */
@NullMarked
package io.millrace.handshake;

import org.jspecify.annotations.NullMarked;
