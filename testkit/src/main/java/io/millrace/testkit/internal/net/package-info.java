/**
 * The simulated network. Its links and interfaces delay, queue, lose, spoil and hold datagrams
 * under virtual time. The package also has the driver of the endpoints, the handshakes over this
 * network, and the capture of all traffic. Everything in this package belongs to the thread of one
 * simulation.
 */
@NullMarked
package io.millrace.testkit.internal.net;

import org.jspecify.annotations.NullMarked;
