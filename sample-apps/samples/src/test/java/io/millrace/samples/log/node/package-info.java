@NullMarked
package io.millrace.samples.log.node;

import org.jspecify.annotations.NullMarked;
