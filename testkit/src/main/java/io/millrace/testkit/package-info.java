/** How thorough a test run is. */
@NullMarked
package io.millrace.testkit;

import org.jspecify.annotations.NullMarked;
