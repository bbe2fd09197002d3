/**
 * The dependencies between transfers: slots of transfers that other transfers may name, and the
 * numbers by which a receiver knows the transfers to hold back.
 */
@NullMarked
package io.millrace.protocol.causality;

import org.jspecify.annotations.NullMarked;
