/* The members of the sensor table, each defined in a file of its own. */
#ifndef THROTTLOG_SENSOR_TABLE_H
#define THROTTLOG_SENSOR_TABLE_H

#include "throttlog/sensor.h"

extern const struct sensor_ops sensor_smart, sensor_hwmon, sensor_link, sensor_cpu, sensor_block,
    sensor_sim, sensor_ocp, sensor_pel, sensor_aen;

#endif
