/**
 * The simulated network: links and interfaces that delay, queue, lose, spoil and hold datagrams
 * under virtual time, the driver whose endpoints send over them, the handshakes that do, and the
 * capture of it all. Everything in here belongs to the thread of one simulation.
 */
@NullMarked
package io.millrace.testkit.internal.net;

import org.jspecify.annotations.NullMarked;
