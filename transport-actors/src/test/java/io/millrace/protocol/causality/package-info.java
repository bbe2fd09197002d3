/** Tests of the machines of transfers that wait for other transfers. */
@NullMarked
package io.millrace.protocol.causality;

import org.jspecify.annotations.NullMarked;
