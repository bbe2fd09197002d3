/** The check whether a history of calls is linearizable. */
@NullMarked
package io.millrace.samples.log.check;

import org.jspecify.annotations.NullMarked;
