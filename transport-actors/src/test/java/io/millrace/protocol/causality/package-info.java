/** Tests of the machines of transfers that wait for others. */
@NullMarked
package io.millrace.protocol.causality;

import org.jspecify.annotations.NullMarked;
