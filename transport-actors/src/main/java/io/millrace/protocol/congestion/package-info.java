/**
 * How much a path may have in flight, and how fast: congestion controllers behind one interface.
 */
@NullMarked
package io.millrace.protocol.congestion;

import org.jspecify.annotations.NullMarked;
