/**
 * What every driver has to do, as tests to inherit ({@link io.millrace.testkit.driver.DriverTck}),
 * and a driver that spoils what another one receives ({@link
 * io.millrace.testkit.driver.ImpairedDriver}).
 */
@NullMarked
package io.millrace.testkit.driver;

import org.jspecify.annotations.NullMarked;
