/**
 * Which transfer waits for which: slots of transfers that others may name, and the numbers by which
 * a receiver knows what to hold back.
 */
@NullMarked
package io.millrace.protocol.causality;

import org.jspecify.annotations.NullMarked;
