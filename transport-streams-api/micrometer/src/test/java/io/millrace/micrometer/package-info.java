@NullMarked
package io.millrace.micrometer;

import org.jspecify.annotations.NullMarked;
