/** The parts of driver tests, and a driver that spoils the datagrams received by another driver. */
@NullMarked
package io.millrace.testkit.internal.driver;

import org.jspecify.annotations.NullMarked;
