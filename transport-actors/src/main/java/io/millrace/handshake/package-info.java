/**
 * What all handshake providers share: the advert that nodes exchange, and a socket for datagrams.
 */
@NullMarked
package io.millrace.handshake;

import org.jspecify.annotations.NullMarked;
