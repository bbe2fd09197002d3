@NullMarked
package io.millrace.samples.bench;

import org.jspecify.annotations.NullMarked;
