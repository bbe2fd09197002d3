/**
 * The pinned dispatcher: a Pekko dispatcher whose only thread alternates between the mailboxes of
 * its actors and the actors' registered duty cycles.
 *
 * <p>A single loop body ({@link io.millrace.loop.LoopBody}) serves every driver: a thread that
 * spins, a thread that backs off, an application thread, a simulator.
 */
@NullMarked
package io.millrace.loop;

import org.jspecify.annotations.NullMarked;
