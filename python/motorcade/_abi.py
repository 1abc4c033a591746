"""The C interface in ctypes. Made by tests/python_abi.py from the public headers."""

import ctypes as C

MC_OK = 0
MC_BAD_INPUT = 1
MC_FAILED = 2
MC_IO = 3
MC_NO_MEMORY = 4
MC_INTERRUPTED = 5
MC_ANALYSIS_FORM_NUMBER = 0
MC_ANALYSIS_FORM_WHOLE = 1
MC_ANALYSIS_FORM_TEXT = 2
MC_ANALYSIS_FORM_TEXTS = 3
MC_ROAD_ANY = 0
MC_ROAD_AUTOMATED = 1
MC_ROAD_MANUAL = 2
MC_ROAD_CLOSED = 3
MC_WHEEL_MAX = 16
MC_CONTACT_LAW_IMPULSES = 0
MC_CONTACT_LAW_PENALTY = 1
MC_CONTACT_LAW_NONE = 2
MC_CONCEPT_AXLE_MAX = 8
MC_CONCEPT_CUT_GROUND = 0
MC_CONCEPT_CUT_FREE = 1
MC_CONCEPT_CUT_MOTION = 2
MC_FORM_CHEAPER = 0
MC_FORM_LAGRANGE = 1
MC_FORM_RECURSIVE = 2
MC_FORM_INDEPENDENT = 3
MC_COMPILE_BACKGROUND = 0
MC_COMPILE_WAIT = 1
MC_COMPILE_NEVER = 2
MC_QUANTITY_COORDINATE = 0
MC_QUANTITY_VELOCITY = 1
MC_QUANTITY_STATE = 2
MC_QUANTITY_INPUT = 3
MC_QUANTITY_PARAMETER = 4
MC_QUANTITY_OUTPUT = 5
MC_SHAPE_BOX = 0
MC_SHAPE_CYLINDER = 1
MC_SHAPE_BEAM = 2
MC_SHAPE_PANEL = 3
MC_SHAPE_WHEEL = 4
MC_SHAPE_MESH = 5
MC_SHAPE_COUNT = 6
MC_SHAPE_FINISH_PAINT = 0
MC_SHAPE_FINISH_STEEL = 1
MC_SHAPE_FINISH_DARK = 2
MC_SHAPE_FINISH_GLASS = 3
MC_SHAPE_FINISH_RUBBER = 4
MC_SHAPE_FINISH_COUNT = 5
MC_KERNEL_STATE_INTERPRETED = 0
MC_KERNEL_STATE_COMPILING = 1
MC_KERNEL_STATE_COMPILED = 2
MC_KERNEL_STATE_FAILED = 3
MC_LANGUAGE_C = 0
MC_LANGUAGE_C_LANES = 1
MC_LANGUAGE_FORTRAN = 2
MC_CODE_FORWARD = 0
MC_CODE_RATE = 1
MC_CODE_KINEMATICS = 2
MC_CODE_JOINT_LOADS = 3
MC_CODE_MATRICES = 4
MC_DYNAVIS_LANES_MAX = 3
MC_DYNAVIS_CARS_MAX = 100000
MC_DYNAVIS_NAME_SIZE = 64
MC_DYNAVIS_PARAM_LANES = 0
MC_DYNAVIS_PARAM_CARS = 1
MC_DYNAVIS_PARAM_TIME_HEADWAY = 2
MC_DYNAVIS_PARAM_TIME_HEADWAY_2 = 3
MC_DYNAVIS_PARAM_TIME_HEADWAY_3 = 4
MC_DYNAVIS_PARAM_FIXED_HEADWAY = 5
MC_DYNAVIS_PARAM_FIXED_HEADWAY_2 = 6
MC_DYNAVIS_PARAM_FIXED_HEADWAY_3 = 7
MC_DYNAVIS_PARAM_TIME_HEADWAY_GIVEN = 8
MC_DYNAVIS_PARAM_FIXED_HEADWAY_GIVEN = 9
MC_DYNAVIS_PARAM_RELATIVE_X = 10
MC_DYNAVIS_PARAM_RELATIVE_Y = 11
MC_DYNAVIS_PARAM_VELOCITY_X = 12
MC_DYNAVIS_PARAM_VELOCITY_Y = 13
MC_DYNAVIS_PARAM_ACCELERATION = 14
MC_DYNAVIS_PARAM_JERK = 15
MC_DYNAVIS_PARAM_ESTIMATE_ACCELERATION = 16
MC_DYNAVIS_PARAM_ESTIMATE_JERK = 17
MC_DYNAVIS_PARAM_SIMULATION = 18
MC_DYNAVIS_PARAM_SAME_LEADER = 19
MC_DYNAVIS_PARAM_CAR_COUNT_GIVEN = 20
MC_DYNAVIS_PARAM_CAR_ID_GIVEN = 21
MC_DYNAVIS_PARAM_POSITION_Y_GIVEN = 22
MC_DYNAVIS_PARAM_CAR_LENGTH = 23
MC_DYNAVIS_PARAM_COUNT = 24
MC_DYNAVIS_FIT_MAX = 401
MC_DYNAVIS_SOURCE_READ = 0
MC_DYNAVIS_SOURCE_COMPUTED = 1
MC_DYNAVIS_SOURCE_FITTED = 2
MC_DYNAVIS_SOURCE_UNKNOWN = 3
MC_DYNAVIS_SOURCE_COUNT = 4
MC_DYNAVIS_NOTE_MAX = 8
MC_DYNAVIS_NOTE_SIZE = 200
MC_DYNAVIS_MODEL_WEIGHT = 0
MC_DYNAVIS_MODEL_LENGTH = 1
MC_DYNAVIS_MODEL_WIDTH = 2
MC_DYNAVIS_MODEL_SPEED = 3
MC_DYNAVIS_MODEL_ACCELERATE = 4
MC_DYNAVIS_MODEL_BRAKE = 5
MC_DYNAVIS_MODEL_POWER = 6
MC_DYNAVIS_MODEL_ENGINE = 7
MC_DYNAVIS_MODEL_COUNT = 8
MC_FCD_XML = 0
MC_FCD_CSV = 1
MC_FIGURE_COLLISIONS = 0
MC_FIGURE_COLLISION_ENERGY = 1
MC_FIGURE_T = 2
MC_FIGURE_LANE_CHANGES = 3
MC_FIGURE_CUT_INS = 4
MC_FIGURE_ENTERED = 5
MC_FIGURE_LEFT = 6
MC_FIGURE_WAITING = 7
MC_FIGURE_CHECK_IN_REJECTED = 8
MC_FIGURE_LARGEST_SPACING_ERROR = 9
MC_FIGURE_RMS_SPACING_ERROR = 10
MC_FIGURE_SMALLEST_GAP = 11
MC_FIGURE_SMALLEST_TIME_GAP = 12
MC_FIGURE_SMALLEST_TTC = 13
MC_FIGURE_LARGEST_DRAC = 14
MC_FIGURE_LARGEST_ACCELERATION = 15
MC_FIGURE_LARGEST_JERK = 16
MC_FIGURE_RMS_JERK = 17
MC_FIGURE_LARGEST_LATERAL_ERROR = 18
MC_FIGURE_WEIGHTED_ACCELERATION = 19
MC_FIGURE_DOSE = 20
MC_FIGURE_DISTANCE = 21
MC_FIGURE_FUEL = 22
MC_FIGURE_FUEL_PER_KM = 23
MC_FIGURE_FUEL_PER_100KM = 24
MC_FIGURE_FUEL_MPG = 25
MC_FIGURE_MILEAGE = 26
MC_FIGURE_GAIN_SPEED_L2 = 27
MC_FIGURE_GAIN_SPEED_MAX = 28
MC_FIGURE_GAIN_ERROR_L2 = 29
MC_FIGURE_GAIN_ERROR_MAX = 30
MC_FIGURE_X = 31
MC_FIGURE_V = 32
MC_FIGURE_A = 33
MC_FIGURE_GAP = 34
MC_FIGURE_SPACING_ERROR = 35
MC_FIGURE_COUNT = 36
MC_FIGURE_OVER_RUN = 0
MC_FIGURE_OVER_MAX = 1
MC_FIGURE_OVER_MIN = 2
MC_FIGURE_OVER_SUM = 3
MC_FIGURE_OVER_MEAN = 4
MC_FIGURE_OVER_ALL = 5
MC_FIGURE_OVER_NONE = 6
MC_IDENTIFY_PARAM_TRUE = 0
MC_IDENTIFY_PARAM_LATER = 1
MC_IDENTIFY_PARAM_CHANGE = 2
MC_IDENTIFY_PARAM_START = 3
MC_IDENTIFY_PARAM_START_ERROR = 4
MC_IDENTIFY_PARAM_NOMINAL = 5
MC_IDENTIFY_PARAM_K1 = 6
MC_IDENTIFY_PARAM_K2 = 7
MC_IDENTIFY_PARAM_HEADWAY = 8
MC_IDENTIFY_PARAM_GAMMA_1 = 9
MC_IDENTIFY_PARAM_GAMMA_2 = 10
MC_IDENTIFY_PARAM_SPEED = 11
MC_IDENTIFY_PARAM_DECELERATION = 12
MC_IDENTIFY_PARAM_WAVE = 13
MC_IDENTIFY_PARAM_WAVE_RATE = 14
MC_IDENTIFY_PARAM_BRAKE = 15
MC_IDENTIFY_PARAM_RELEASE = 16
MC_IDENTIFY_PARAM_DURATION = 17
MC_IDENTIFY_PARAM_STEP = 18
MC_IDENTIFY_PARAM_RECORD = 19
MC_IDENTIFY_PARAM_IDLE_FORCE = 20
MC_IDENTIFY_PARAM_FORCE_ERROR = 21
MC_IDENTIFY_PARAM_DRIVE_BIAS = 22
MC_IDENTIFY_PARAM_DRAG_BIAS = 23
MC_IDENTIFY_PARAM_NOISE = 24
MC_IDENTIFY_PARAM_WINDOW = 25
MC_IDENTIFY_PARAM_FORGET = 26
MC_IDENTIFY_PARAM_FINE = 27
MC_IDENTIFY_PARAM_COUNT = 28
MC_JOINT_TURNS_FREELY = 0
MC_JOINT_TURNS_NOT = 1
MC_JOINT_TURNS_ABOUT_AXIS = 2
MC_JOINT_TURNS_AS_CROSS = 3
MC_JOINT_TURNS_GENERAL = 4
MC_JOINT_SLIDES_NOT = 0
MC_JOINT_SLIDES_ALONG_AXIS = 1
MC_JOINT_SLIDES_ACROSS_AXIS = 2
MC_JOINT_SLIDES_FREELY = 3
MC_JOINT_VALUE_MAX = 4
MC_JOINT_FROM = 0
MC_JOINT_TO = 1
MC_LAW_PARAM_MAX = 32
MC_LAW_STATE_MAX = 16
MC_LAW_VARIABLE_MAX = 64
MC_LATERAL_POLE_MAX = 64
MC_LAW_LINE_VARIABLE = 0
MC_LAW_LINE_STATE = 1
MC_LAW_LINE_ACCELERATION = 2
MC_LAW_LINE_STEER = 3
MC_LAW_ROLE_PROFILE = 0
MC_LAW_ROLE_STABILITY = 1
MC_LAW_ROLE_DYNAVIS = 2
MC_LAW_ROLE_IDENTIFICATION = 3
MC_LAW_ROLE_DRIVER = 4
MC_LAW_ROLE_AUTOMATED = 5
MC_LAW_ROLE_COUNT = 6
MC_DRIVEN_KIND_VALUE = 0
MC_DRIVEN_KIND_RATE = 1
MC_DRIVEN_KIND_LOAD = 2
MC_STANDING_WHEELS = 16
MC_MANOEUVRE_PARAM_MAX = 16
MC_MANOEUVRE_FIGURE_MAX = 16
MC_SCHEME_EXPONENTIAL = 0
MC_SCHEME_PUBLISHED = 1
MC_SCHEME_COUNT = 2
MC_MEDUSA_EQUILIBRIUM_MAX = 22
MC_FIELD_MIDDLE = 0
MC_FIELD_Y = 1
MC_FIELD_PSI = 2
MC_FIELD_V = 3
MC_FIELD_A = 4
MC_FIELD_JERK = 5
MC_FIELD_TARGET = 6
MC_FIELD_THROTTLE = 7
MC_FIELD_BRAKE = 8
MC_FIELD_STEER = 9
MC_FIELD_N = 10
MC_FIELD_FUEL = 11
MC_FIELD_ENERGY = 12
MC_FIELD_GAP = 13
MC_FIELD_A_DESIRED = 14
MC_FIELD_MILEAGE = 15
MC_FIELD_ESTIMATE = 16
MC_FIELD_YAW_RATE = 17
MC_FIELD_SIDE_SLIP = 18
MC_FIELD_A_Y = 19
MC_FIELD_LANE = 20
MC_FIELD_PATH = 21
MC_FIELD_BLIND_SPOT = 22
MC_FIELD_FRAME_COUNT = 23
MC_FIELD_X = 23
MC_FIELD_SPACING_ERROR = 24
MC_FIELD_ESTIMATE_BAND = 25
MC_FIELD_CHECKED_IN = 26
MC_FIELD_WARNINGS = 27
MC_FIELD_COUNT = 28
MC_RUN_INPUT_ACCELERATION = 0
MC_RUN_INPUT_THROTTLE = 1
MC_RUN_INPUT_BRAKE = 2
MC_RUN_LINEAR_MAX = 40
MC_CAR_STATUS_LEADER = 1
MC_CAR_STATUS_BY_HAND = 2
MC_CAR_STATUS_BRAKE_FAULT = 4
MC_CAR_STATUS_THROTTLE_FAULT = 8
MC_CAR_STATUS_HIT = 16
MC_CAR_STATUS_FALLEN_BACK = 32
MC_CAR_STATUS_BRAKES = 64
MC_CAR_STATUS_THROTTLE = 128
MC_CAR_STATUS_CHECKED_IN = 256
MC_CAR_STATUS_FLASHES = 512
MC_CAR_STATUS_BLIND_LEFT = 1024
MC_CAR_STATUS_BLIND_RIGHT = 2048
MC_INSTANT_VEHICLES = 256
MC_PICTURE_VIEW_TOP = 0
MC_PICTURE_VIEW_SIDE = 1
MC_PICTURE_VIEW_COUNT = 2
MC_PLOT_STYLE_LINE = 0
MC_PLOT_STYLE_POINTS = 1
MC_PLOT_STYLE_STEPS = 2
MC_PLOT_STYLE_COUNT = 3
MC_PLOT_COLOUR_COUNT = 9
MC_PLOT_RAMP = 100
MC_PLOT_RAMP_COUNT = 12
MC_PLOT_CURVE_MAX = 36
MC_PLOT_PANEL_MAX = 24
MC_PLOT_BAR_MAX = 2000
MC_PLOT_HEAT_MAX = 2000
MC_PLOT_ENTRY_ZERO = 0
MC_PLOT_ENTRY_CONSTANT = 1
MC_PLOT_ENTRY_VARYING = 2
MC_PLOT_ENTRY_COUNT = 3
MC_PLOT_MATRIX_MAX = 20000
MC_POWERTRAIN_ROLE_MODEL = 0
MC_POWERTRAIN_ROLE_MILEAGE = 1
MC_POWERTRAIN_ROLE_COUNT = 2
MC_REPLAY_POSE = 12
MC_RUNS_MAX = 1000000
MC_RUNS_TEXT = 400
MC_RUNS_ACTION_ACCELERATION = 0
MC_RUNS_ACTION_PEDALS = 1
MC_RUNS_STATE_GOES = 0
MC_RUNS_STATE_ENDED = 1
MC_RUNS_STATE_FAILED = 2
MC_STABILITY_VERDICT_STABLE = 0
MC_STABILITY_VERDICT_UNSTABLE = 1
MC_STABILITY_VERDICT_CAR_UNSTABLE = 2
MC_STABILITY_ABOUT_ZERO = 0
MC_STABILITY_ABOUT_START = 1
MC_STABILITY_ABOUT_MEAN = 2
MC_SUSPENSION_PARALLEL = 0
MC_SUSPENSION_OPPOSITE = 1
MC_SUSPENSION_STEER = 2
MC_SUSPENSION_MOTION_COUNT = 3
MC_SUSPENSION_COLUMN_MAX = 24
MC_SWEEP_AXIS_MAX = 8
MC_SWEEP_RUN_MAX = 1000000
MC_TYRE_PARAM_MAX = 48
MC_TYRE_STATE_MAX = 3
MC_EVAL_ANY = 0
MC_EVAL_AVX2 = 1
MC_EVAL_COUNT = 2
MC_KEY_FORM_NUMBERS = 0
MC_KEY_FORM_MAP = 1
MC_KEY_FORM_WHOLE = 2
MC_KEY_FORM_TEXT = 3
MC_KEY_FORM_FILE = 4
MC_KEY_FORM_TYRE = 5
MC_KEY_FORM_COUNT = 6
MC_TURN_COUNT = 10


class mc_error(C.Structure):
    pass


class mc_analysis_parameter(C.Structure):
    pass


class mc_analysis(C.Structure):
    pass


class mc_analysis_value(C.Structure):
    pass


class mc_analysis_table(C.Structure):
    pass


class mc_analysis_result(C.Structure):
    pass


class mc_road_point(C.Structure):
    pass


class mc_road_lane(C.Structure):
    pass


class mc_road_path(C.Structure):
    pass


class mc_road_ramp(C.Structure):
    pass


class mc_batch(C.Structure):
    pass


class mc_ellipsoid(C.Structure):
    pass


class mc_reach(C.Structure):
    pass


class mc_energy(C.Structure):
    pass


class mc_inputs(C.Structure):
    pass


class mc_motion(C.Structure):
    pass


class mc_pose(C.Structure):
    pass


class mc_plan(C.Structure):
    pass


class mc_channel(C.Structure):
    pass


class mc_wheel(C.Structure):
    pass


class mc_state_name(C.Structure):
    pass


class mc_bench_value(C.Structure):
    pass


class mc_vehicle_bench(C.Structure):
    pass


class mc_vehicle_kind(C.Structure):
    pass


class mc_impact(C.Structure):
    pass


class mc_world_options(C.Structure):
    pass


class mc_collision(C.Structure):
    pass


class mc_collision_totals(C.Structure):
    pass


class mc_collision_column(C.Structure):
    pass


class mc_concept_mass(C.Structure):
    pass


class mc_concept_dimensions_inner(C.Structure):
    pass


class mc_concept_dimensions(C.Structure):
    pass


class mc_concept_bump(C.Structure):
    pass


class mc_concept_edge(C.Structure):
    pass


class mc_concept_start(C.Structure):
    pass


class mc_concept_options(C.Structure):
    pass


class mc_concept_loads(C.Structure):
    pass


class mc_concept_ride(C.Structure):
    pass


class mc_concept_repeat_report(C.Structure):
    pass


class mc_concept_template(C.Structure):
    pass


class mc_concept_change(C.Structure):
    pass


class mc_concept_value(C.Structure):
    pass


class mc_multibody_options(C.Structure):
    pass


class mc_operations(C.Structure):
    pass


class mc_multibody_info(C.Structure):
    pass


class mc_part_body(C.Structure):
    pass


class mc_part_point(C.Structure):
    pass


class mc_part_spring(C.Structure):
    pass


class mc_part_joint(C.Structure):
    pass


class mc_part_shape(C.Structure):
    pass


class mc_constraint_row(C.Structure):
    pass


class mc_graph(C.Structure):
    pass


class mc_graph_joint(C.Structure):
    pass


class mc_matrix(C.Structure):
    pass


class mc_stage(C.Structure):
    pass


class mc_structure(C.Structure):
    pass


class mc_equilibrium_options(C.Structure):
    pass


class mc_equilibrium_report(C.Structure):
    pass


class mc_linear_options(C.Structure):
    pass


class mc_linear_mode(C.Structure):
    pass


class mc_linear(C.Structure):
    pass


class mc_concept_state(C.Structure):
    pass


class mc_param(C.Structure):
    pass


class mc_dynavis_params(C.Structure):
    pass


class mc_dynavis_car(C.Structure):
    pass


class mc_dynavis_frame(C.Structure):
    pass


class mc_dynavis_options(C.Structure):
    pass


class mc_dynavis_data(C.Structure):
    pass


class mc_dynavis_ramp(C.Structure):
    pass


class mc_dynavis_model(C.Structure):
    pass


class mc_dynavis_scenario(C.Structure):
    pass


class mc_event_sentence(C.Structure):
    pass


class mc_event_kind(C.Structure):
    pass


class mc_exchange_options(C.Structure):
    pass


class mc_exchange_format_info(C.Structure):
    pass


class mc_figure(C.Structure):
    pass


class mc_figures_setup(C.Structure):
    pass


class mc_figures_row(C.Structure):
    pass


class mc_condition_line(C.Structure):
    pass


class mc_condition_result(C.Structure):
    pass


class mc_fmu_options(C.Structure):
    pass


class mc_fmu_report(C.Structure):
    pass


class mc_identify_row(C.Structure):
    pass


class mc_identify_run(C.Structure):
    pass


class mc_identify_hand(C.Structure):
    pass


class mc_identify_noise(C.Structure):
    pass


class mc_joint_value(C.Structure):
    pass


class mc_joint_kind(C.Structure):
    pass


class mc_joint_vector(C.Structure):
    pass


class mc_joint_formula(C.Structure):
    pass


class mc_law_formula(C.Structure):
    pass


class mc_law_state(C.Structure):
    pass


class mc_law_card(C.Structure):
    pass


class mc_law_text_inner(C.Union):
    pass


class mc_law_text(C.Structure):
    pass


class mc_scenario_info(C.Structure):
    pass


class mc_scenario_file(C.Structure):
    pass


class mc_scenario_line(C.Structure):
    pass


class mc_table(C.Structure):
    pass


class mc_lateral_options(C.Structure):
    pass


class mc_lateral_result(C.Structure):
    pass


class mc_law(C.Structure):
    pass


class mc_law_line(C.Structure):
    pass


class mc_law_signal(C.Structure):
    pass


class mc_watch(C.Structure):
    pass


class mc_drive(C.Structure):
    pass


class mc_driven_options(C.Structure):
    pass


class mc_driven_column(C.Structure):
    pass


class mc_driven_about(C.Structure):
    pass


class mc_driven_output(C.Structure):
    pass


class mc_driven_report(C.Structure):
    pass


class mc_standing(C.Structure):
    pass


class mc_manoeuvre_figure(C.Structure):
    pass


class mc_manoeuvre(C.Structure):
    pass


class mc_manoeuvre_options(C.Structure):
    pass


class mc_manoeuvre_row(C.Structure):
    pass


class mc_manoeuvre_cone(C.Structure):
    pass


class mc_medusa_options(C.Structure):
    pass


class mc_medusa_output(C.Structure):
    pass


class mc_medusa_columns(C.Structure):
    pass


class mc_medusa_live(C.Structure):
    pass


class mc_medusa_moment(C.Structure):
    pass


class mc_field_info(C.Structure):
    pass


class mc_run_options(C.Structure):
    pass


class mc_run_view(C.Structure):
    pass


class mc_run_counts(C.Structure):
    pass


class mc_run_vehicle_info(C.Structure):
    pass


class mc_road_piece(C.Structure):
    pass


class mc_run_road_info(C.Structure):
    pass


class mc_run_section(C.Structure):
    pass


class mc_run_ersc(C.Structure):
    pass


class mc_run_param(C.Structure):
    pass


class mc_run_estimate(C.Structure):
    pass


class mc_run_switch(C.Structure):
    pass


class mc_run_linear_model(C.Structure):
    pass


class mc_happened(C.Structure):
    pass


class mc_command(C.Structure):
    pass


class mc_log_entry(C.Structure):
    pass


class mc_snapshot(C.Structure):
    pass


class mc_row(C.Structure):
    pass


class mc_run_lane_plan(C.Structure):
    pass


class mc_run_lateral(C.Structure):
    pass


class mc_run_clock(C.Structure):
    pass


class mc_controller_part(C.Structure):
    pass


class mc_run_controller_info(C.Structure):
    pass


class mc_run_model_info(C.Structure):
    pass


class mc_look_mesh(C.Structure):
    pass


class mc_picture_vehicle(C.Structure):
    pass


class mc_picture_impact(C.Structure):
    pass


class mc_picture(C.Structure):
    pass


class mc_picture_ellipse(C.Structure):
    pass


class mc_picture_layout_inner(C.Structure):
    pass


class mc_picture_layout(C.Structure):
    pass


class mc_plot_curve(C.Structure):
    pass


class mc_plot_mark(C.Structure):
    pass


class mc_plot_axis(C.Structure):
    pass


class mc_plot_panel(C.Structure):
    pass


class mc_plot(C.Structure):
    pass


class mc_plot_series(C.Structure):
    pass


class mc_plot_bars(C.Structure):
    pass


class mc_plot_heat(C.Structure):
    pass


class mc_plot_matrix(C.Structure):
    pass


class mc_plot_scale(C.Structure):
    pass


class mc_plot_layout(C.Structure):
    pass


class mc_powertrain(C.Structure):
    pass


class mc_powertrain_set(C.Structure):
    pass


class mc_powertrain_steady(C.Structure):
    pass


class mc_record_output(C.Structure):
    pass


class mc_render_options(C.Structure):
    pass


class mc_replay_info(C.Structure):
    pass


class mc_replay_car(C.Structure):
    pass


class mc_run_plot(C.Structure):
    pass


class mc_road_write_options(C.Structure):
    pass


class mc_runs_request(C.Structure):
    pass


class mc_runs_results(C.Structure):
    pass


class mc_runs_arrays(C.Structure):
    pass


class mc_method(C.Structure):
    pass


class mc_engine(C.Structure):
    pass


class mc_solver(C.Structure):
    pass


class mc_simulate_options(C.Structure):
    pass


class mc_simulate_about(C.Structure):
    pass


class mc_simulate_column(C.Structure):
    pass


class mc_simulate_event(C.Structure):
    pass


class mc_simulate_output(C.Structure):
    pass


class mc_simulate_dip(C.Structure):
    pass


class mc_simulate_report(C.Structure):
    pass


class mc_stability_options(C.Structure):
    pass


class mc_stability_mode(C.Structure):
    pass


class mc_stability_result(C.Structure):
    pass


class mc_stability_gains(C.Structure):
    pass


class mc_studio_options(C.Structure):
    pass


class mc_suspension_options(C.Structure):
    pass


class mc_suspension_column(C.Structure):
    pass


class mc_suspension_curves(C.Structure):
    pass


class mc_sweep_axis(C.Structure):
    pass


class mc_sweep_request(C.Structure):
    pass


class mc_sweep_counts(C.Structure):
    pass


class mc_sweep_merged(C.Structure):
    pass


class mc_sweep_row(C.Structure):
    pass


class mc_sweep_table(C.Structure):
    pass


class mc_timeline_options(C.Structure):
    pass


class mc_timeline_way(C.Structure):
    pass


class mc_tyre_in(C.Structure):
    pass


class mc_tyre_out(C.Structure):
    pass


class mc_tyre_file(C.Structure):
    pass


class mc_tyre_state(C.Structure):
    pass


class mc_tyre(C.Structure):
    pass


class mc_tyre_slip(C.Structure):
    pass


class mc_tyre_force(C.Structure):
    pass


class mc_file(C.Structure):
    pass


class mc_model_key(C.Structure):
    pass


class mc_vehicle_facts(C.Structure):
    pass


class mc_vehicle_start(C.Structure):
    pass


class mc_vehicle_setup(C.Structure):
    pass


class mc_vehicle_type(C.Structure):
    pass


class mc_verify_benchmark(C.Structure):
    pass


class mc_verify_result(C.Structure):
    pass


class mc_verify_summary(C.Structure):
    pass


mc_error._fields_ = [("code", C.c_int), ("file", C.c_char * 256), ("line", C.c_int), ("column", C.c_int), ("text", C.c_char * 512), ("excerpt", C.c_char * 160), ("caret", C.c_int), ("vehicle", C.c_int)]
mc_analysis_parameter._fields_ = [("name", C.c_char_p), ("form", C.c_int), ("unit", C.c_char_p), ("fallback", C.c_char_p), ("min", C.c_double), ("max", C.c_double), ("doc", C.c_char_p), ("needed", C.c_bool)]
mc_analysis._fields_ = [("name", C.c_char_p), ("doc", C.c_char_p), ("mechanisms", C.c_bool), ("results", C.c_bool), ("parameters", C.POINTER(mc_analysis_parameter)), ("parameter_count", C.c_int), ("concepts", C.c_bool)]
mc_analysis_value._fields_ = [("name", C.c_char_p), ("text", C.c_char_p)]
mc_analysis_table._fields_ = [("title", C.c_char_p), ("column_count", C.c_int), ("row_count", C.c_int), ("columns", C.POINTER(C.c_char_p)), ("units", C.POINTER(C.c_char_p)), ("values", C.POINTER(C.c_double)), ("labels", C.POINTER(C.c_char_p)), ("curves", C.c_bool), ("logarithmic", C.c_bool)]
mc_analysis_result._fields_ = [("tables", C.POINTER(mc_analysis_table)), ("table_count", C.c_int), ("notes", C.POINTER(C.c_char_p)), ("note_count", C.c_int), ("memory", C.c_void_p)]
mc_road_point._fields_ = [("station", C.c_double), ("offset", C.c_double), ("heading", C.c_double), ("curvature", C.c_double), ("grade", C.c_double), ("bank", C.c_double), ("height", C.c_double), ("normal", C.c_double * 3), ("friction", C.c_double), ("lane", C.c_int), ("path", C.c_int), ("gravity", C.c_double * 3), ("bump", C.c_double), ("bump_x", C.c_double), ("bump_y", C.c_double)]
mc_road_lane._fields_ = [("centre", C.c_double), ("width", C.c_double), ("speed", C.c_double), ("headway", C.c_double), ("separation", C.c_double), ("use", C.c_int), ("enter", C.c_int)]
mc_road_path._fields_ = [("name", C.c_char_p), ("length", C.c_double), ("closed", C.c_bool), ("lane_count", C.c_int), ("turn", C.c_double), ("max_curvature", C.c_double), ("line_count", C.c_int), ("arc_count", C.c_int), ("clothoid_count", C.c_int)]
mc_road_ramp._fields_ = [("name", C.c_char_p), ("on", C.c_bool), ("connector", C.c_bool), ("path", C.c_int), ("main", C.c_int), ("lane", C.c_int), ("from", C.c_double), ("to", C.c_double), ("at", C.c_double), ("nose", C.c_double), ("ramp_nose", C.c_double), ("speed", C.c_double)]
mc_batch._fields_ = [("kind", C.POINTER(mc_vehicle_kind)), ("count", C.c_int)]
mc_ellipsoid._fields_ = [("centre", C.c_double * 3), ("axes", C.c_double * 9)]
mc_reach._fields_ = [("centre", C.c_double * 3), ("velocity", C.c_double * 3), ("radius", C.c_double), ("spread", C.c_double), ("acceleration", C.c_double)]
mc_energy._fields_ = [("kinetic", C.c_double), ("elastic", C.c_double), ("spring", C.c_double), ("gravity", C.c_double), ("vibration", C.c_double), ("damped", C.c_double), ("slipped", C.c_double), ("braked", C.c_double), ("dragged", C.c_double), ("crushed", C.c_double), ("driven", C.c_double)]
mc_inputs._fields_ = [("throttle", C.c_double), ("brake", C.c_double), ("steer", C.c_double), ("acceleration", C.c_double)]
mc_motion._fields_ = [("x", C.c_double), ("y", C.c_double), ("psi", C.c_double), ("v", C.c_double), ("v_y", C.c_double), ("yaw_rate", C.c_double), ("a", C.c_double)]
mc_pose._fields_ = [("position", C.c_double * 3), ("directors", C.c_double * 9), ("velocity", C.c_double * 3), ("director_rates", C.c_double * 9)]
mc_plan._fields_ = [("throttle", C.c_double), ("brake", C.c_double), ("coast", C.c_double)]
mc_channel._fields_ = [("name", C.c_char_p), ("unit", C.c_char_p), ("doc", C.c_char_p)]
mc_wheel._fields_ = [("x", C.c_double), ("y", C.c_double), ("steer", C.c_double), ("fx", C.c_double), ("fy", C.c_double), ("fz", C.c_double), ("mu", C.c_double), ("radius", C.c_double), ("lift", C.c_double), ("spin", C.c_double)]
mc_state_name._fields_ = [("name", C.c_char * 64), ("unit", C.c_char * 48)]
mc_bench_value._fields_ = [("name", C.c_char * 100), ("value", C.c_double)]
mc_vehicle_bench._fields_ = [("text", C.c_char_p), ("values", C.POINTER(mc_bench_value)), ("value_count", C.c_int)]
mc_vehicle_kind._fields_ = [("name", C.c_char_p), ("advance", C.c_void_p), ("surface", C.c_void_p), ("reach", C.c_void_p), ("point_velocity", C.c_void_p), ("impulse_response", C.c_void_p), ("apply_impulse", C.c_void_p), ("save_size", C.c_void_p), ("save", C.c_void_p), ("restore", C.c_void_p), ("energy", C.c_void_p), ("momentum", C.c_void_p), ("road_impulse", C.c_void_p), ("mass", C.c_void_p), ("gravity", C.c_void_p), ("contact_window", C.c_void_p), ("destroy", C.c_void_p), ("set_inputs", C.c_void_p), ("motion", C.c_void_p), ("plan", C.c_void_p), ("set_road", C.c_void_p), ("channels", C.POINTER(mc_channel)), ("channel_count", C.c_int), ("read_channels", C.c_void_p), ("fuel", C.c_void_p), ("set_param", C.c_void_p), ("get_param", C.c_void_p), ("surface_toward", C.c_void_p), ("pose", C.c_void_p), ("wheels", C.c_void_p), ("lateral_acceleration", C.c_void_p), ("limit_step", C.c_void_p), ("state_name", C.c_void_p), ("set_path", C.c_void_p), ("straighten", C.c_void_p), ("bench", C.c_void_p), ("exchange", C.c_void_p), ("outside_save", C.c_void_p), ("outside_restore", C.c_void_p), ("outside_take", C.c_void_p)]
mc_impact._fields_ = [("time", C.c_double), ("duration", C.c_double), ("a", C.c_int), ("b", C.c_int), ("point", C.c_double * 3), ("normal", C.c_double * 3), ("closing", C.c_double), ("impulse", C.c_double), ("tangential", C.c_double * 3), ("friction_loss", C.c_double), ("restitution_loss", C.c_double), ("gap", C.c_double), ("velocity_before", (C.c_double * 3) * 2), ("velocity_after", (C.c_double * 3) * 2), ("before", mc_energy * 2), ("after", mc_energy * 2)]
mc_world_options._fields_ = [("threads", C.c_int), ("contact", C.c_int), ("step", C.c_double), ("energy_tolerance", C.c_double), ("restitution", C.c_double), ("friction", C.c_double), ("resting_guard", C.c_double), ("penalty_stiffness", C.c_double), ("penalty_smallest_step", C.c_double), ("penalty_held_steps", C.c_int)]
mc_collision._fields_ = [("a", C.c_int), ("b", C.c_int), ("impact_count", C.c_int), ("first", C.c_double), ("last", C.c_double), ("closing", C.c_double), ("relative_before", C.c_double), ("relative_after", C.c_double), ("restitution", C.c_double), ("impulse", C.c_double), ("impulse_largest", C.c_double), ("tangential", C.c_double * 3), ("tangential_size", C.c_double), ("normal", C.c_double * 3), ("point", C.c_double * 3), ("before", mc_energy * 2), ("after", mc_energy * 2), ("energy_before", C.c_double), ("energy_after", C.c_double), ("vibration", C.c_double), ("damped", C.c_double), ("slipped", C.c_double), ("crushed", C.c_double), ("friction_loss", C.c_double), ("restitution_loss", C.c_double)]
mc_collision_totals._fields_ = [("collision_count", C.c_int), ("impact_count", C.c_int), ("vibration", C.c_double), ("damped", C.c_double), ("slipped", C.c_double), ("crushed", C.c_double), ("friction_loss", C.c_double), ("restitution_loss", C.c_double)]
mc_collision_column._fields_ = [("name", C.c_char_p), ("unit", C.c_char_p), ("doc", C.c_char_p), ("heading", C.c_char_p), ("width", C.c_int), ("decimals", C.c_int), ("is_int", C.c_bool), ("offset", C.c_size_t)]
mc_concept_mass._fields_ = [("name", C.c_char_p), ("kind", C.c_char_p), ("group", C.c_char_p), ("mass", C.c_double), ("centre", C.c_double * 3), ("inertia", C.c_double * 6), ("area", C.c_double), ("length", C.c_double)]
mc_concept_dimensions_inner._fields_ = [("name", C.c_char_p), ("x", C.c_double), ("track", C.c_double), ("radius", C.c_double), ("driven", C.c_bool), ("steered", C.c_bool), ("dual", C.c_bool)]
mc_concept_dimensions._fields_ = [("length", C.c_double), ("width", C.c_double), ("height", C.c_double), ("wheelbase", C.c_double), ("clearance", C.c_double), ("approach", C.c_double), ("departure", C.c_double), ("break_over", C.c_double), ("frontal_area", C.c_double), ("panel_area", C.c_double), ("axle_count", C.c_int), ("axle", mc_concept_dimensions_inner * 8), ("ground", C.c_double)]
mc_concept_bump._fields_ = [("name", C.c_char_p), ("at", C.c_double), ("length", C.c_double), ("height", C.c_double), ("ramp", C.c_bool), ("side", C.c_int)]
mc_concept_edge._fields_ = [("name", C.c_char_p), ("kind", C.c_char_p), ("from", C.c_int), ("to", C.c_int), ("from_body", C.c_int), ("to_body", C.c_int), ("rigid", C.c_bool)]
mc_concept_start._fields_ = [("name", C.c_char * 112), ("value", C.c_double)]
mc_concept_options._fields_ = [("vehicle", C.c_bool), ("wheels", C.c_bool), ("only", C.c_char_p), ("cut", C.c_int), ("motion", C.POINTER(C.c_char_p)), ("motion_count", C.c_int), ("recorded", C.c_bool), ("target", C.c_char_p), ("brake", C.c_char_p), ("rolling", C.POINTER(C.c_double)), ("start", C.POINTER(mc_concept_start)), ("start_count", C.c_int), ("tail", C.c_char_p), ("axle", C.c_char_p), ("open", C.POINTER(C.c_char_p)), ("open_count", C.c_int)]
mc_concept_loads._fields_ = [("axle_count", C.c_int), ("load", C.c_double * 8), ("settled", C.c_bool), ("sink", C.c_double * 8)]
mc_concept_ride._fields_ = [("speed", C.c_double), ("target", C.c_char_p), ("brake", C.c_char_p), ("terrain", C.c_char_p)]
mc_concept_repeat_report._fields_ = [("row_count", C.c_int), ("coordinate_count", C.c_int), ("largest", C.c_double), ("worst", C.c_char * 128), ("moved", C.c_double)]
mc_concept_template._fields_ = [("name", C.c_char_p), ("doc", C.c_char_p)]
mc_concept_change._fields_ = [("path", C.c_char_p), ("value", C.c_char_p)]
mc_concept_value._fields_ = [("path", C.c_char_p), ("text", C.c_char_p), ("line", C.c_int), ("column", C.c_int)]
mc_multibody_options._fields_ = [("form", C.c_int), ("compile", C.c_int)]
mc_operations._fields_ = [("flops", C.c_int), ("add", C.c_int), ("mul", C.c_int), ("div", C.c_int), ("sqrt", C.c_int), ("fused", C.c_int), ("sincos", C.c_int), ("call", C.c_int)]
mc_multibody_info._fields_ = [("name", C.c_char_p), ("q_count", C.c_int), ("v_count", C.c_int), ("state_count", C.c_int), ("y_count", C.c_int), ("input_count", C.c_int), ("parameter_count", C.c_int), ("body_count", C.c_int), ("output_count", C.c_int), ("load_count", C.c_int), ("row_count", C.c_int), ("left_out_count", C.c_int), ("switch_count", C.c_int), ("form", C.c_int), ("flops_of_form", C.c_int * 4), ("forward", mc_operations), ("prepare", mc_operations), ("rate", mc_operations), ("seconds_read", C.c_double), ("seconds_derive", C.c_double), ("hash", C.c_ulonglong)]
mc_part_body._fields_ = [("name", C.c_char_p), ("inboard", C.c_char_p), ("joint", C.c_char_p), ("at", C.c_double * 3), ("frame", C.c_double * 4), ("axis", C.c_double * 3), ("stiffness", C.c_double), ("damping", C.c_double), ("mass", C.c_double), ("centre", C.c_double * 3), ("inertia", C.c_double * 6), ("round", C.c_int)]
mc_part_point._fields_ = [("name", C.c_char_p), ("body", C.c_char_p)]
mc_part_spring._fields_ = [("name", C.c_char_p), ("from", C.c_char_p), ("to", C.c_char_p), ("length", C.c_double), ("stiffness", C.c_double), ("damping", C.c_double), ("formula", C.c_bool)]
mc_part_joint._fields_ = [("name", C.c_char_p), ("kind", C.c_char_p), ("from", C.c_char_p), ("to", C.c_char_p), ("at", C.c_double * 3), ("to_at", C.c_double * 3), ("frame", C.c_double * 4), ("axis", C.c_double * 3)]
mc_part_shape._fields_ = [("kind", C.c_int), ("finish", C.c_int), ("round", C.c_bool), ("made", C.c_bool), ("at", C.c_double * 3), ("turn", C.c_double * 4), ("size", C.c_double * 3), ("point_count", C.c_int), ("face_count", C.c_int)]
mc_constraint_row._fields_ = [("owner", C.c_char_p), ("part", C.c_int), ("acts", C.c_bool)]
mc_graph._fields_ = [("joint_count", C.c_int), ("cut_count", C.c_int), ("root_count", C.c_int), ("root", C.c_char_p), ("derived", C.c_int), ("all", C.c_bool), ("flops", C.c_int), ("worst_flops", C.c_int)]
mc_graph_joint._fields_ = [("name", C.c_char_p), ("kind", C.c_char_p), ("from", C.c_char_p), ("to", C.c_char_p), ("in_tree", C.c_bool), ("reversed", C.c_bool), ("pinned", C.c_bool), ("cut_by_file", C.c_bool), ("cannot", C.c_bool), ("other_flops", C.c_int)]
mc_matrix._fields_ = [("name", C.c_char_p), ("rows", C.c_int), ("columns", C.c_int), ("row_names", C.POINTER(C.c_char_p)), ("column_names", C.POINTER(C.c_char_p)), ("structure", C.POINTER(C.c_ubyte)), ("value", C.POINTER(C.c_double))]
mc_stage._fields_ = [("name", C.c_char_p), ("operations", C.c_double)]
mc_structure._fields_ = [("name", C.c_char_p), ("rows", C.c_int), ("columns", C.c_int), ("entry", C.POINTER(C.c_ubyte))]
mc_equilibrium_options._fields_ = [("t", C.c_double), ("hold", C.POINTER(C.c_char_p)), ("hold_count", C.c_int), ("tolerance", C.c_double), ("max_iterations", C.c_int), ("holding", C.POINTER(C.c_double)), ("acceleration", C.POINTER(C.c_double)), ("standing", C.c_bool), ("along", C.POINTER(C.c_double)), ("outputs", C.POINTER(C.c_double)), ("loads", C.POINTER(C.c_double))]
mc_equilibrium_report._fields_ = [("iterations", C.c_int), ("residual", C.c_double), ("worst", C.c_char * 128), ("unheld_count", C.c_int)]
mc_linear_options._fields_ = [("hold", C.POINTER(C.c_char_p)), ("hold_count", C.c_int), ("moves", C.POINTER(C.c_char_p)), ("move_count", C.c_int)]
mc_linear_mode._fields_ = [("real", C.c_double), ("imaginary", C.c_double), ("frequency", C.c_double), ("damping", C.c_double), ("time_constant", C.c_double), ("rigid", C.c_bool)]
mc_linear._fields_ = [("count", C.c_int), ("position_count", C.c_int), ("state_count", C.c_int), ("input_count", C.c_int), ("name", C.POINTER(C.c_char_p)), ("unit", C.POINTER(C.c_char_p)), ("along", C.POINTER(C.c_double)), ("input_name", C.POINTER(C.c_char_p)), ("A", C.POINTER(C.c_double)), ("B", C.POINTER(C.c_double)), ("modes", C.POINTER(mc_linear_mode)), ("rigid_count", C.c_int), ("shape_real", C.POINTER(C.c_double)), ("shape_imaginary", C.POINTER(C.c_double)), ("left_real", C.POINTER(C.c_double)), ("left_imaginary", C.POINTER(C.c_double)), ("share", C.POINTER(C.c_double)), ("t", C.c_double), ("y", C.POINTER(C.c_double)), ("held", C.POINTER(C.c_char_p)), ("held_count", C.c_int), ("memory", C.c_void_p)]
mc_concept_state._fields_ = [("concept", C.c_void_p), ("loads", mc_concept_loads), ("loaded", C.c_bool), ("linear", C.POINTER(mc_linear)), ("y", C.POINTER(C.c_double)), ("mechanism", C.c_void_p), ("why", C.c_char * 300), ("derived", C.c_bool)]
mc_param._fields_ = [("name", C.c_char_p), ("unit", C.c_char_p), ("fallback", C.c_double), ("min", C.c_double), ("max", C.c_double), ("doc", C.c_char_p)]
mc_dynavis_params._fields_ = [("version", C.c_int), ("file", C.c_char * 256), ("value", C.c_double * 24), ("line", C.c_int * 24)]
mc_dynavis_car._fields_ = [("id", C.c_int), ("platoon", C.c_int), ("lane", C.c_int), ("x", C.c_double), ("y", C.c_double), ("v_x", C.c_double), ("v_y", C.c_double), ("a", C.c_double), ("jerk", C.c_double)]
mc_dynavis_frame._fields_ = [("t", C.c_double), ("time_headway", C.c_double * 3), ("fixed_headway", C.c_double * 3), ("car_count", C.c_int), ("cars", C.POINTER(mc_dynavis_car)), ("line", C.c_int)]
mc_dynavis_options._fields_ = [("window", C.c_double)]
mc_dynavis_data._fields_ = [("params", mc_dynavis_params), ("frames", C.POINTER(mc_dynavis_frame)), ("frame_count", C.c_int), ("max_cars", C.c_int), ("min_cars", C.c_int), ("track_count", C.c_int), ("x", C.c_int), ("y", C.c_int), ("v_x", C.c_int), ("v_y", C.c_int), ("a", C.c_int), ("jerk", C.c_int), ("window", C.c_double), ("method", C.c_char * 512), ("notes", (C.c_char * 200) * 8), ("note_count", C.c_int)]
mc_dynavis_ramp._fields_ = [("name", C.c_char * 64), ("x", C.c_double), ("on", C.c_bool), ("connector", C.c_bool), ("line", C.c_int), ("miles", C.c_double), ("after", C.c_bool)]
mc_dynavis_model._fields_ = [("name", C.c_char * 64), ("given", C.c_double * 8), ("si", C.c_double * 8), ("line", C.c_int)]
mc_dynavis_scenario._fields_ = [("params", C.POINTER(mc_dynavis_params)), ("data", C.POINTER(mc_dynavis_data)), ("frame", C.c_int), ("models", C.POINTER(mc_dynavis_model)), ("model_count", C.c_int), ("model", C.c_char_p), ("ramps", C.c_char_p), ("car_count", C.c_int), ("end", C.c_double), ("source", C.c_char_p)]
mc_event_sentence._fields_ = [("does", C.c_char_p), ("before", C.c_char_p), ("scale", C.c_double), ("unit", C.c_char_p), ("words", C.POINTER(C.c_char_p)), ("word_count", C.c_int)]
mc_event_kind._fields_ = [("name", C.c_char_p), ("label", C.c_char_p), ("value", C.POINTER(mc_param)), ("roadway", C.c_bool), ("fault", C.c_bool), ("end_name", C.c_char_p), ("optional", C.c_bool), ("shaped", C.c_bool), ("begins", mc_event_sentence), ("ends", mc_event_sentence)]
mc_exchange_options._fields_ = [("format", C.c_char_p), ("routes", C.c_char_p), ("through", C.c_char_p), ("folder", C.c_char_p), ("end", C.c_double)]
mc_exchange_format_info._fields_ = [("name", C.c_char_p), ("word", C.c_char_p), ("ending", C.c_char_p), ("doc", C.c_char_p)]
mc_figure._fields_ = [("name", C.c_char_p), ("unit", C.c_char_p), ("over", C.c_int), ("doc", C.c_char_p)]
mc_figures_setup._fields_ = [("count", C.c_int), ("length", C.POINTER(C.c_double)), ("front", C.POINTER(C.c_int)), ("step", C.c_double), ("fuel_density", C.c_double), ("mileage_window", C.c_double), ("mileage_alpha", C.c_double), ("mileage_min_fuel", C.c_double), ("mileage_start", C.c_double)]
mc_figures_row._fields_ = [("t", C.c_double), ("x", C.POINTER(C.c_double)), ("v", C.POINTER(C.c_double)), ("a", C.POINTER(C.c_double)), ("jerk", C.POINTER(C.c_double)), ("gap", C.POINTER(C.c_double)), ("desired_gap", C.POINTER(C.c_double)), ("fuel", C.POINTER(C.c_double)), ("lateral", C.POINTER(C.c_double))]
mc_condition_line._fields_ = [("formula", C.c_char_p), ("file", C.c_char_p), ("line", C.c_int), ("column", C.c_int)]
mc_condition_result._fields_ = [("holds", C.c_bool), ("defined", C.c_bool), ("text", C.c_char * 400)]
mc_fmu_options._fields_ = [("version", C.c_int), ("method", C.c_char_p), ("fixed_step", C.c_double), ("rtol", C.c_double), ("law", C.c_char_p), ("vehicle", C.c_char_p), ("controller", C.c_char_p)]
mc_fmu_report._fields_ = [("name", C.c_char * 48), ("version", C.c_int), ("model_exchange", C.c_bool), ("why", C.c_char_p), ("variable_count", C.c_int), ("state_count", C.c_int), ("input_count", C.c_int), ("parameter_count", C.c_int), ("event_count", C.c_int), ("directional", C.c_bool)]
mc_identify_row._fields_ = [("t", C.c_double), ("v_leader", C.c_double), ("v", C.c_double), ("v_model", C.c_double), ("distance", C.c_double), ("distance_model", C.c_double), ("braking", C.c_double), ("mass_true", C.c_double), ("mass", C.c_double), ("band", C.c_double), ("squares", C.c_double), ("squares_band", C.c_double), ("excitation", C.c_double), ("memory", C.c_double), ("claimed", C.c_double), ("squares_claimed", C.c_double)]
mc_identify_run._fields_ = [("rows", C.POINTER(mc_identify_row)), ("row_count", C.c_int), ("end", mc_identify_row), ("force_band", C.c_double), ("limited", C.c_bool), ("ratio", C.c_double), ("safe", C.c_double), ("convergent", C.c_double)]
mc_identify_hand._fields_ = [("t", C.c_double), ("acceleration", C.c_double), ("mass", C.c_double)]
mc_identify_noise._fields_ = [("runs", C.c_int), ("claimed", C.c_int), ("squares_claimed", C.c_int), ("bias", C.c_double), ("spread", C.c_double), ("squares_bias", C.c_double), ("squares_spread", C.c_double), ("within", C.c_double), ("squares_within", C.c_double)]
mc_joint_value._fields_ = [("key", C.c_char_p), ("unit", C.c_char_p), ("doc", C.c_char_p), ("needed", C.c_bool)]
mc_joint_kind._fields_ = [("size", C.c_size_t), ("name", C.c_char_p), ("doc", C.c_char_p), ("rows", C.c_void_p), ("axes", C.c_int), ("value", mc_joint_value * 4), ("turns", C.c_int), ("slides", C.c_int)]
mc_joint_vector._fields_ = [("side", C.c_int), ("part", C.c_double * 3)]
mc_joint_formula._fields_ = [("node", C.c_uint32)]
mc_law_formula._fields_ = [("name", C.c_char_p), ("unit", C.c_char_p), ("formula", C.c_char_p), ("line", C.c_int), ("column", C.c_int)]
mc_law_state._fields_ = [("rate", mc_law_formula), ("start", C.c_char_p), ("start_line", C.c_int), ("start_column", C.c_int)]
mc_law_card._fields_ = [("equation", C.c_char_p), ("source", C.c_char_p), ("stability", C.c_char_p), ("limits", C.c_char_p)]
mc_law_text_inner._fields_ = [("acceleration", mc_law_formula), ("steer", mc_law_formula)]
mc_law_text._fields_ = [("size", C.c_size_t), ("name", C.c_char_p), ("doc", C.c_char_p), ("inner", mc_law_text_inner), ("params", C.POINTER(mc_param)), ("param_count", C.c_int), ("states", C.POINTER(mc_law_state)), ("state_count", C.c_int), ("variables", C.POINTER(mc_law_formula)), ("variable_count", C.c_int), ("card", mc_law_card), ("line", C.c_int), ("column", C.c_int)]
mc_scenario_info._fields_ = [("file", C.c_char_p), ("name", C.c_char_p), ("doc", C.c_char_p), ("end", C.c_double), ("step", C.c_double), ("record", C.c_double), ("vehicle_count", C.c_int), ("platoon_count", C.c_int), ("model_count", C.c_int), ("controller_count", C.c_int), ("event_count", C.c_int), ("lane_count", C.c_int), ("warning_count", C.c_int), ("has_log", C.c_bool)]
mc_scenario_file._fields_ = [("path", C.c_char_p), ("hash", C.c_ulonglong)]
mc_scenario_line._fields_ = [("formula", C.c_char_p), ("line", C.c_int), ("column", C.c_int)]
mc_table._fields_ = [("name", C.c_char_p), ("group", C.c_char_p), ("title", C.c_char_p), ("rows", C.POINTER(mc_param)), ("count", C.c_int)]
mc_lateral_options._fields_ = [("speed", C.c_double), ("curvature", C.c_double), ("friction", C.c_double), ("law", C.c_char_p), ("set_names", C.POINTER(C.c_char_p)), ("set_values", C.POINTER(C.c_double)), ("set_count", C.c_int), ("coast", C.c_bool), ("poles_only", C.c_bool)]
mc_lateral_result._fields_ = [("law", C.c_char_p), ("steer", C.c_double), ("offset", C.c_double), ("side_slip", C.c_double), ("front_use", C.c_double), ("rear_use", C.c_double), ("largest", C.c_double), ("pole_count", C.c_int), ("pole_real", C.c_double * 64), ("pole_imaginary", C.c_double * 64), ("crossover", C.c_double), ("phase_margin", C.c_double), ("gain_margin", C.c_double), ("peak", C.c_double), ("peak_frequency", C.c_double), ("string_stable", C.c_bool), ("friction_matters", C.c_bool)]
mc_law._fields_ = [("name", C.c_char_p), ("doc", C.c_char_p), ("equation", C.c_char_p), ("source", C.c_char_p), ("stability", C.c_char_p), ("limits", C.c_char_p), ("params", C.POINTER(mc_param)), ("param_count", C.c_int), ("line_count", C.c_int)]
mc_law_line._fields_ = [("kind", C.c_int), ("name", C.c_char_p), ("unit", C.c_char_p), ("formula", C.c_char_p), ("start", C.c_char_p)]
mc_law_signal._fields_ = [("name", C.c_char_p), ("unit", C.c_char_p), ("doc", C.c_char_p)]
mc_watch._fields_ = [("context", C.c_void_p), ("stop", C.c_void_p), ("progress", C.c_void_p)]
mc_drive._fields_ = [("name", C.c_char_p), ("from", C.c_double), ("to", C.c_double), ("motion", C.c_char_p)]
mc_driven_options._fields_ = [("drives", C.POINTER(mc_drive)), ("drive_count", C.c_int), ("hold", C.POINTER(C.c_char_p)), ("hold_count", C.c_int), ("geometry", C.c_bool), ("let", C.POINTER(C.c_char_p)), ("let_count", C.c_int)]
mc_driven_column._fields_ = [("kind", C.c_int), ("quantity", C.c_int), ("index", C.c_int), ("drive", C.c_bool)]
mc_driven_about._fields_ = [("name", C.c_char * 160), ("unit", C.c_char * 48), ("doc", C.c_char * 200)]
mc_driven_output._fields_ = [("csv", C.c_char_p), ("hdf5", C.c_char_p), ("command", C.c_char_p), ("columns", C.POINTER(mc_driven_column)), ("column_count", C.c_int), ("row", C.c_void_p), ("context", C.c_void_p)]
mc_driven_report._fields_ = [("row_count", C.c_int), ("steps", C.c_long), ("gap", C.c_double), ("rest", C.c_double)]
mc_standing._fields_ = [("count", C.c_int), ("wheel", C.c_char_p * 16), ("load", C.c_double * 16), ("residual", C.c_double)]
mc_manoeuvre_figure._fields_ = [("name", C.c_char_p), ("unit", C.c_char_p), ("doc", C.c_char_p)]
mc_manoeuvre._fields_ = [("name", C.c_char_p), ("doc", C.c_char_p), ("source", C.c_char_p), ("params", C.POINTER(mc_param)), ("param_count", C.c_int), ("figures", C.POINTER(mc_manoeuvre_figure)), ("figure_count", C.c_int), ("straight", C.c_bool)]
mc_manoeuvre_options._fields_ = [("model", C.c_char_p), ("path", C.c_char_p), ("set_names", C.POINTER(C.c_char_p)), ("set_values", C.POINTER(C.c_double)), ("set_count", C.c_int)]
mc_manoeuvre_row._fields_ = [("t", C.c_double), ("x", C.c_double), ("y", C.c_double), ("psi", C.c_double), ("v", C.c_double), ("v_y", C.c_double), ("yaw_rate", C.c_double), ("a_y", C.c_double), ("steer", C.c_double)]
mc_manoeuvre_cone._fields_ = [("x", C.c_double), ("y", C.c_double), ("hit", C.c_bool)]
mc_medusa_options._fields_ = [("models", C.c_char_p), ("platoon", C.c_char_p), ("end_time", C.c_double), ("save_interval", C.c_double), ("step", C.c_double), ("free_step", C.c_double), ("scheme", C.c_int), ("as_published", C.c_bool), ("threads", C.c_int), ("energy_tolerance", C.c_double), ("restitution", C.c_double), ("friction", C.c_double), ("penalty_stiffness", C.c_double), ("penalty_smallest_step", C.c_double), ("penalty_held_steps", C.c_int)]
mc_medusa_output._fields_ = [("asc", C.c_char_p), ("digits", C.c_int), ("velocity", C.c_bool), ("energy", C.c_bool), ("hdf5", C.c_char_p), ("command", C.c_char_p)]
mc_medusa_columns._fields_ = [("first", C.c_longlong), ("last", C.c_longlong), ("what", C.c_char * 72), ("vehicle", C.c_int)]
mc_medusa_live._fields_ = [("models_named", C.c_char_p), ("solved", C.c_bool), ("contact", C.c_char_p)]
mc_medusa_moment._fields_ = [("time", C.c_double), ("elastic", C.c_double), ("surface", C.POINTER(mc_ellipsoid)), ("rest_axes", C.POINTER(C.c_double)), ("vehicle_elastic", C.POINTER(C.c_double)), ("velocity", C.POINTER(C.c_double)), ("heading", C.POINTER(C.c_double))]
mc_field_info._fields_ = [("name", C.c_char_p), ("unit", C.c_char_p), ("doc", C.c_char_p)]
mc_run_options._fields_ = [("threads", C.c_int), ("contact_off", C.c_bool), ("interpret", C.c_bool), ("mileage", C.c_bool), ("instants", C.c_bool), ("compile_first", C.c_bool)]
mc_run_view._fields_ = [("motion", mc_motion), ("inputs", mc_inputs), ("jerk", C.c_double), ("desired", C.c_double), ("gap", C.c_double), ("error", C.c_double), ("headway", C.c_double), ("distance", C.c_double), ("front", C.c_int), ("leader", C.c_int), ("lane", C.c_int), ("hits", C.c_int)]
mc_run_counts._fields_ = [("lane_changes", C.c_longlong), ("cut_ins", C.c_longlong), ("entered", C.c_longlong), ("left", C.c_longlong), ("waiting", C.c_longlong), ("waiting_max", C.c_longlong)]
mc_run_vehicle_info._fields_ = [("name", C.c_char_p), ("model", C.c_char_p), ("kind", C.c_char_p), ("controller", C.c_char_p), ("law", C.c_char_p), ("profile", C.c_char_p), ("platoon", C.c_int), ("place", C.c_int), ("lane", C.c_int), ("length", C.c_double), ("width", C.c_double), ("height", C.c_double), ("lane_y", C.c_double), ("leader", C.c_bool), ("leads_as", C.c_int), ("by_hand", C.c_bool), ("deformable", C.c_bool), ("pedals", C.c_bool), ("fallen_back", C.c_bool), ("checked_in", C.c_bool), ("mechanism", C.c_bool)]
mc_road_piece._fields_ = [("from", C.c_double), ("to", C.c_double), ("value", C.c_double), ("transition", C.c_double), ("right", C.c_double), ("divide", C.c_double), ("seam", C.c_double)]
mc_run_road_info._fields_ = [("lanes", C.c_int), ("lane_width", C.c_double), ("headway", C.c_double), ("distance", C.c_double), ("speed", C.c_double), ("headway_commanded", C.c_bool), ("distance_commanded", C.c_bool), ("speed_commanded", C.c_bool), ("grades", C.POINTER(mc_road_piece)), ("frictions", C.POINTER(mc_road_piece)), ("grade_count", C.c_int), ("friction_count", C.c_int), ("profile", C.c_char_p), ("profile_from", C.c_double), ("profile_to", C.c_double), ("ersc", C.c_int), ("ersc_start", C.c_int)]
mc_run_section._fields_ = [("lane", C.c_int), ("from", C.c_double), ("to", C.c_double), ("use", C.c_char_p), ("enter", C.c_char_p), ("speed", C.c_double), ("headway", C.c_double), ("separation", C.c_double), ("commanded", C.c_bool)]
mc_run_ersc._fields_ = [("checked_in", C.c_bool), ("flashes", C.c_bool), ("blind", C.c_int * 2), ("rejections", C.c_int), ("rejection", C.c_char_p)]
mc_run_param._fields_ = [("group", C.c_char_p), ("row", C.POINTER(mc_param)), ("value", C.c_double), ("live", C.c_bool), ("own", C.c_bool)]
mc_run_estimate._fields_ = [("name", C.c_char_p), ("parameter", C.c_char_p), ("unit", C.c_char_p), ("value", C.c_double), ("band", C.c_double), ("on", C.c_bool), ("active", C.c_bool), ("claimed", C.c_bool)]
mc_run_switch._fields_ = [("braking", C.c_bool), ("asked", C.c_double), ("coast", C.c_double), ("hysteresis", C.c_double)]
mc_run_linear_model._fields_ = [("order", C.c_int), ("u", C.c_double), ("v", C.c_double), ("delay", C.c_double), ("A", C.c_double * 1600), ("B", C.c_double * 40), ("C", C.c_double * 40), ("pole_real", C.c_double * 40), ("pole_imaginary", C.c_double * 40), ("state", mc_state_name * 40), ("value", C.c_double * 40), ("size", C.c_double * 40)]
mc_happened._fields_ = [("time", C.c_double), ("kind", C.c_int), ("name", C.c_char_p), ("vehicle", C.c_int), ("vehicle_name", C.c_char_p), ("value", C.c_double)]
mc_command._fields_ = [("event", C.c_char_p), ("vehicle", C.c_char_p), ("param", C.c_char_p), ("value", C.c_double), ("inputs", mc_inputs)]
mc_log_entry._fields_ = [("time", C.c_double), ("step", C.c_longlong), ("event", C.c_char_p), ("vehicle", C.c_char_p), ("param", C.c_char_p), ("value", C.c_double), ("inputs", mc_inputs)]
mc_snapshot._fields_ = [("data", C.c_void_p), ("size", C.c_size_t)]
mc_row._fields_ = [("middle", C.POINTER(C.c_double)), ("target", C.POINTER(C.c_double)), ("value", C.POINTER(C.c_float) * 28), ("status", C.POINTER(C.c_uint)), ("hits", C.POINTER(C.c_int))]
mc_run_lane_plan._fields_ = [("from", C.c_int), ("to", C.c_int), ("waits_for", C.c_int), ("start", C.c_double), ("duration", C.c_double), ("share", C.c_double), ("to_go", C.c_double), ("max_acceleration", C.c_double), ("max_jerk", C.c_double), ("front", C.c_int), ("rear", C.c_int), ("gap_front", C.c_double), ("gap_rear", C.c_double)]
mc_run_lateral._fields_ = [("by_hand", C.c_bool), ("law", C.c_char_p), ("lane", C.c_int), ("lane_y", C.c_double), ("lane_width", C.c_double), ("offset", C.c_double), ("yaw_desired", C.c_double), ("road_yaw", C.c_double), ("plan", mc_run_lane_plan)]
mc_run_clock._fields_ = [("step", C.c_longlong), ("first_step", C.c_longlong), ("first_time", C.c_double), ("size", C.c_double), ("version", C.c_int)]
mc_controller_part._fields_ = [("name", C.c_char_p), ("rows", C.POINTER(mc_param)), ("values", C.POINTER(C.c_double)), ("count", C.c_int)]
mc_run_controller_info._fields_ = [("name", C.c_char_p), ("law", C.c_char_p), ("own", C.c_bool), ("params", C.POINTER(mc_param)), ("values", C.POINTER(C.c_double)), ("param_count", C.c_int), ("headway", C.c_double), ("distance", C.c_double), ("v_set", C.c_double), ("fallback", C.c_char_p), ("fallback_params", C.POINTER(mc_param)), ("fallback_values", C.POINTER(C.c_double)), ("fallback_count", C.c_int), ("steering", C.c_char_p), ("parts", mc_controller_part * 6), ("part_count", C.c_int), ("listen", C.c_int * 8), ("listen_count", C.c_int), ("listen_leader", C.c_bool)]
mc_run_model_info._fields_ = [("name", C.c_char_p), ("kind", C.c_char_p), ("length", C.c_double), ("width", C.c_double), ("height", C.c_double), ("mass", C.c_double), ("pedals", C.c_bool), ("look", C.c_char_p)]
mc_look_mesh._fields_ = [("count", C.c_int), ("size", C.c_double * 3), ("position", C.POINTER(C.c_ushort)), ("normal", C.POINTER(C.c_byte)), ("colour", C.POINTER(C.c_ubyte))]
mc_picture_vehicle._fields_ = [("surface", mc_ellipsoid), ("rest_axes", C.c_double * 9), ("heading", C.c_double), ("velocity", C.c_double * 3), ("elastic", C.c_double), ("label", C.c_char * 16)]
mc_picture_impact._fields_ = [("a", C.c_int), ("b", C.c_int), ("time", C.c_double), ("point", C.c_double * 3), ("normal", C.c_double * 3), ("impulse", C.c_double)]
mc_picture._fields_ = [("title", C.c_char_p), ("time", C.c_double), ("magnification", C.c_double), ("z_road", C.c_double), ("max_elastic", C.c_double), ("vehicles", C.POINTER(mc_picture_vehicle)), ("vehicle_count", C.c_int), ("impacts", C.POINTER(mc_picture_impact)), ("impact_count", C.c_int)]
mc_picture_ellipse._fields_ = [("centre", C.c_double * 2), ("semi", C.c_double * 2), ("angle", C.c_double), ("extent", C.c_double * 2)]
mc_picture_layout_inner._fields_ = [("top", C.c_double), ("bottom", C.c_double), ("u_px", C.c_double), ("v_px", C.c_double)]
mc_picture_layout._fields_ = [("width", C.c_double), ("height", C.c_double), ("scale", C.c_double), ("semi", C.c_double), ("view", mc_picture_layout_inner * 2), ("legend_top", C.c_double), ("velocity_mean", C.c_double * 3), ("velocity_scale", C.c_double), ("impulse_scale", C.c_double), ("velocity_key", C.c_double), ("impulse_key", C.c_double), ("length_key", C.c_double), ("max_elastic", C.c_double)]
mc_plot_curve._fields_ = [("label", C.c_char_p), ("unit", C.c_char_p), ("x", C.POINTER(C.c_double)), ("y", C.POINTER(C.c_double)), ("count", C.c_int), ("style", C.c_int), ("colour", C.c_int), ("dashed", C.c_bool)]
mc_plot_mark._fields_ = [("x", C.c_double), ("label", C.c_char_p), ("strong", C.c_bool)]
mc_plot_axis._fields_ = [("label", C.c_char_p), ("unit", C.c_char_p), ("low", C.c_double), ("high", C.c_double), ("logarithmic", C.c_bool)]
mc_plot_panel._fields_ = [("y", mc_plot_axis), ("curves", C.POINTER(mc_plot_curve)), ("curve_count", C.c_int), ("height", C.c_double)]
mc_plot._fields_ = [("title", C.c_char_p), ("caption", C.c_char_p), ("x", mc_plot_axis), ("panels", C.POINTER(mc_plot_panel)), ("panel_count", C.c_int), ("width", C.c_double), ("complex_plane", C.c_bool), ("marks", C.POINTER(mc_plot_mark)), ("mark_count", C.c_int)]
mc_plot_series._fields_ = [("label", C.c_char_p), ("values", C.POINTER(C.c_double)), ("colour", C.c_int)]
mc_plot_bars._fields_ = [("title", C.c_char_p), ("caption", C.c_char_p), ("x", mc_plot_axis), ("y", mc_plot_axis), ("names", C.POINTER(C.c_char_p)), ("count", C.c_int), ("series", C.POINTER(mc_plot_series)), ("series_count", C.c_int), ("stacked", C.c_bool), ("base", C.c_double), ("shade_above", C.c_bool), ("width", C.c_double)]
mc_plot_heat._fields_ = [("title", C.c_char_p), ("caption", C.c_char_p), ("x", mc_plot_axis), ("y", mc_plot_axis), ("value", mc_plot_axis), ("column_count", C.c_int), ("row_count", C.c_int), ("values", C.POINTER(C.c_double)), ("diverging", C.c_bool), ("width", C.c_double), ("height", C.c_double)]
mc_plot_matrix._fields_ = [("title", C.c_char_p), ("row_count", C.c_int), ("column_count", C.c_int), ("entries", C.POINTER(C.c_ubyte)), ("row_labels", C.POINTER(C.c_char_p)), ("column_labels", C.POINTER(C.c_char_p))]
mc_plot_scale._fields_ = [("low", C.c_double), ("high", C.c_double), ("low_px", C.c_double), ("high_px", C.c_double), ("logarithmic", C.c_bool), ("offset", C.c_double)]
mc_plot_layout._fields_ = [("width", C.c_double), ("height", C.c_double), ("x", mc_plot_scale), ("y", mc_plot_scale * 24)]
mc_powertrain._fields_ = [("name", C.c_char_p), ("doc", C.c_char_p), ("params", C.POINTER(mc_param)), ("param_count", C.c_int)]
mc_powertrain_set._fields_ = [("names", C.POINTER(C.c_char_p)), ("values", C.POINTER(C.c_double)), ("count", C.c_int)]
mc_powertrain_steady._fields_ = [("throttle", C.c_double), ("v", C.c_double), ("n", C.c_double), ("force", C.c_double), ("fuel", C.c_double), ("stable", C.c_bool)]
mc_record_output._fields_ = [("hdf5", C.c_char_p), ("full", C.c_bool), ("csv", C.c_char_p), ("dynavis", C.c_char_p), ("only_new", C.c_bool), ("command", C.c_char_p), ("checkpoint", C.c_char_p), ("checkpoint_every", C.c_double), ("end", C.c_double)]
mc_render_options._fields_ = [("at", C.c_double), ("camera", C.c_char_p), ("width", C.c_int), ("height", C.c_int), ("theme", C.c_char_p), ("vehicle", C.c_char_p), ("from", C.c_double * 3), ("look", C.c_double * 3), ("magnify", C.c_double), ("strain", C.c_bool), ("labels", C.c_bool), ("model", C.c_char_p), ("mode", C.c_int), ("amplitude", C.c_double), ("rest", C.c_bool), ("loads", C.c_bool), ("lift", C.c_double), ("threads", C.c_int)]
mc_replay_info._fields_ = [("kind", C.c_char_p), ("title", C.c_char_p), ("car_count", C.c_int), ("row_count", C.c_int), ("instant_count", C.c_int), ("lane_count", C.c_int), ("lane_width", C.c_double), ("poses", C.c_bool), ("impacts", C.c_bool), ("scenario", C.c_char_p), ("note", C.c_char_p)]
mc_replay_car._fields_ = [("name", C.c_char_p), ("model", C.c_char_p), ("controller", C.c_char_p), ("platoon", C.c_int), ("place", C.c_int), ("lane", C.c_int), ("alone", C.c_bool), ("length", C.c_double), ("width", C.c_double), ("height", C.c_double), ("middle", C.c_double), ("mass", C.c_double), ("deformable", C.c_bool)]
mc_run_plot._fields_ = [("y", C.c_char_p), ("x", C.c_char_p), ("cars", C.c_char_p), ("from", C.c_double), ("to", C.c_double), ("title", C.c_char_p), ("lanes", C.c_bool)]
mc_road_write_options._fields_ = [("title", C.c_char_p), ("length", C.c_double), ("form", C.c_char_p), ("step", C.c_double), ("note", C.c_void_p), ("context", C.c_void_p)]
mc_runs_request._fields_ = [("scenario", C.c_void_p), ("count", C.c_int), ("names", C.POINTER(C.c_char_p)), ("name_count", C.c_int), ("values", C.POINTER(C.c_double)), ("threads", C.c_int), ("interpret", C.c_bool), ("fields", C.POINTER(C.c_int)), ("field_count", C.c_int), ("vehicles", C.POINTER(C.c_char_p)), ("vehicle_count", C.c_int), ("driven", C.POINTER(C.c_char_p)), ("driven_count", C.c_int), ("action", C.c_int), ("steps", C.c_int)]
mc_runs_results._fields_ = [("figures", C.POINTER(C.c_double)), ("cars", C.POINTER(C.c_double)), ("car_count", C.c_int), ("failed", C.POINTER(C.c_double)), ("hash", C.POINTER(C.c_ulonglong)), ("ended", C.c_void_p)]
mc_runs_arrays._fields_ = [("count", C.c_int), ("vehicle_count", C.c_int), ("field_count", C.c_int), ("driven_count", C.c_int), ("action_count", C.c_int), ("observation", C.POINTER(C.c_double)), ("action", C.POINTER(C.c_double)), ("time", C.POINTER(C.c_double)), ("hits", C.POINTER(C.c_int)), ("state", C.POINTER(C.c_int))]
mc_method._fields_ = [("name", C.c_char_p), ("doc", C.c_char_p), ("order", C.c_int), ("adaptive", C.c_bool), ("implicit", C.c_bool)]
mc_engine._fields_ = [("name", C.c_char_p), ("doc", C.c_char_p)]
mc_solver._fields_ = [("name", C.c_char_p), ("doc", C.c_char_p)]
mc_simulate_options._fields_ = [("end", C.c_double), ("step", C.c_double), ("method", C.c_char_p), ("rtol", C.c_double), ("atol", C.c_double), ("fixed_step", C.c_double), ("max_step", C.c_double), ("start", C.c_double), ("load", C.c_void_p), ("load_context", C.c_void_p), ("engine", C.c_char_p), ("friction", C.c_char_p), ("solver", C.c_char_p), ("iterations", C.c_int), ("tolerance", C.c_double), ("substeps", C.c_int), ("unbounded", C.c_bool)]
mc_simulate_about._fields_ = [("unit", C.c_char * 48), ("doc", C.c_char * 160)]
mc_simulate_column._fields_ = [("quantity", C.c_int), ("index", C.c_int)]
mc_simulate_event._fields_ = [("t", C.c_double), ("name", C.c_char_p), ("on", C.c_bool), ("impulse", C.c_double), ("impulse_unit", C.c_char * 48), ("energy", C.c_double)]
mc_simulate_output._fields_ = [("csv", C.c_char_p), ("hdf5", C.c_char_p), ("command", C.c_char_p), ("columns", C.POINTER(mc_simulate_column)), ("column_count", C.c_int), ("row", C.c_void_p), ("event", C.c_void_p), ("context", C.c_void_p)]
mc_simulate_dip._fields_ = [("part", C.c_char_p), ("t", C.c_double), ("place", C.c_double * 3), ("depth", C.c_double)]
mc_simulate_report._fields_ = [("method", C.c_char_p), ("engine", C.c_char_p), ("time", C.c_double), ("step", C.c_double), ("row_count", C.c_longlong), ("steps", C.c_long), ("rejected", C.c_long), ("rates", C.c_long), ("jacobians", C.c_long), ("factorizations", C.c_long), ("iterations", C.c_long), ("energy_start", C.c_double), ("energy_end", C.c_double), ("energy_change", C.c_double), ("kinetic_max", C.c_double), ("projected", C.c_double), ("switched", C.c_double), ("switch_count", C.c_long), ("drift", C.c_double), ("conserves", C.c_bool), ("seconds", C.c_double), ("joint_open", C.c_double), ("reached", C.c_double), ("bound", C.c_double), ("impacts", C.c_long), ("gained", C.c_double), ("lost", C.c_double), ("dips", C.c_long), ("dip", mc_simulate_dip)]
mc_stability_options._fields_ = [("law", C.c_char_p), ("set_names", C.POINTER(C.c_char_p)), ("set_values", C.POINTER(C.c_double)), ("set_count", C.c_int), ("speed", C.c_double), ("headway", C.c_double), ("distance", C.c_double), ("v_set", C.c_double), ("lag", C.c_double), ("delay", C.c_double), ("listen_leader", C.c_bool), ("place", C.c_int)]
mc_stability_mode._fields_ = [("real", C.c_double), ("imaginary", C.c_double)]
mc_stability_result._fields_ = [("l2", C.c_int), ("l_infinity", C.c_int), ("gap", C.c_double), ("zero_gain", C.c_double), ("peak", C.c_double), ("peak_frequency", C.c_double), ("l1", C.c_double), ("leader", C.c_bool), ("leader_peak", C.c_double), ("modes", C.POINTER(mc_stability_mode)), ("mode_count", C.c_int), ("neutral_count", C.c_int)]
mc_stability_gains._fields_ = [("l2", C.c_double), ("l_infinity", C.c_double), ("size_l2", C.c_double), ("size_l_infinity", C.c_double)]
mc_studio_options._fields_ = [("file", C.c_char_p), ("with", C.c_char_p), ("folders", C.POINTER(C.c_char_p)), ("folder_count", C.c_int), ("address", C.c_char_p), ("port", C.c_int), ("token", C.c_char_p), ("read_only", C.c_bool), ("paused", C.c_bool), ("threads", C.c_int), ("page", C.c_char_p)]
mc_suspension_options._fields_ = [("axle", C.c_char_p), ("motion", C.c_int), ("from", C.c_double), ("to", C.c_double), ("row_count", C.c_int)]
mc_suspension_column._fields_ = [("name", C.c_char * 40), ("unit", C.c_char_p), ("doc", C.c_char_p)]
mc_suspension_curves._fields_ = [("axle", C.c_char * 64), ("suspension", C.c_char_p), ("motion", C.c_int), ("row_count", C.c_int), ("column_count", C.c_int), ("column", mc_suspension_column * 24), ("value", C.POINTER(C.c_double)), ("gap", C.c_double)]
mc_sweep_axis._fields_ = [("name", C.c_char_p), ("unit", C.c_char_p), ("text", C.c_char_p), ("count", C.c_int), ("normal", C.c_bool), ("mean", C.c_double), ("deviation", C.c_double), ("values", C.POINTER(C.c_double)), ("low", C.c_double), ("high", C.c_double), ("unit_given", C.c_bool)]
mc_sweep_request._fields_ = [("scenario", C.c_char_p), ("text", C.c_char_p), ("table", C.c_char_p), ("vary", C.POINTER(C.c_char_p)), ("vary_count", C.c_int), ("set", C.POINTER(C.c_char_p)), ("set_count", C.c_int), ("seeds", C.c_int), ("random", C.c_int), ("seed", C.c_ulonglong), ("correlate", C.POINTER(C.c_char_p)), ("correlate_count", C.c_int), ("shard", C.c_int), ("shard_count", C.c_int), ("threads", C.c_int), ("interpret", C.c_bool)]
mc_sweep_counts._fields_ = [("runs", C.c_int), ("share", C.c_int), ("found", C.c_int), ("done", C.c_int)]
mc_sweep_merged._fields_ = [("runs", C.c_int), ("missing", C.c_int), ("twice", C.c_int), ("missing_list", C.c_char * 200), ("twice_list", C.c_char * 200)]
mc_sweep_row._fields_ = [("run", C.c_int), ("ended", C.c_char_p), ("failed", C.c_double), ("value", C.c_double * 36), ("axis", C.c_double * 8)]
mc_sweep_table._fields_ = [("title", C.c_char_p), ("axes", C.POINTER(mc_sweep_axis)), ("axis_count", C.c_int), ("random", C.c_int), ("run_count", C.c_int), ("complete", C.c_bool), ("shard", C.c_int), ("shard_count", C.c_int), ("rows", C.POINTER(mc_sweep_row)), ("row_count", C.c_int)]
mc_timeline_options._fields_ = [("memory", C.c_size_t), ("every", C.c_int)]
mc_timeline_way._fields_ = [("state", mc_snapshot), ("step", C.c_longlong), ("time", C.c_double), ("line", C.c_void_p), ("cut", C.c_uint)]
mc_tyre_in._fields_ = [("fz", C.POINTER(C.c_double)), ("v_x", C.POINTER(C.c_double)), ("v_y", C.POINTER(C.c_double)), ("v_roll", C.POINTER(C.c_double)), ("mu", C.POINTER(C.c_double)), ("context", C.c_void_p), ("camber", C.POINTER(C.c_double)), ("side", C.POINTER(C.c_double))]
mc_tyre_out._fields_ = [("fx", C.POINTER(C.c_double)), ("fy", C.POINTER(C.c_double)), ("mz", C.POINTER(C.c_double))]
mc_tyre_file._fields_ = [("text", C.c_char_p), ("size", C.c_size_t), ("path", C.c_char_p), ("note", C.c_void_p), ("to", C.c_void_p)]
mc_tyre_state._fields_ = [("name", C.c_char_p), ("unit", C.c_char_p), ("lateral", C.c_bool)]
mc_tyre._fields_ = [("size", C.c_size_t), ("name", C.c_char_p), ("doc", C.c_char_p), ("eval", C.c_void_p * 2), ("params", C.POINTER(mc_param)), ("param_count", C.c_int), ("state_count", C.c_int), ("states", C.POINTER(mc_tyre_state)), ("state_rate", C.c_void_p), ("stiffness", C.c_void_p), ("driven", C.POINTER(mc_tyre)), ("context", C.c_void_p), ("load", C.c_void_p), ("context_size", C.c_size_t)]
mc_tyre_slip._fields_ = [("fz", C.c_double), ("kappa", C.c_double), ("alpha", C.c_double), ("camber", C.c_double)]
mc_tyre_force._fields_ = [("fx", C.c_double), ("fy", C.c_double), ("mz", C.c_double)]
mc_file._fields_ = [("path", C.c_char_p), ("bytes", C.c_char_p), ("size", C.c_size_t), ("hash", C.c_ulonglong)]
mc_model_key._fields_ = [("name", C.c_char_p), ("form", C.c_int), ("doc", C.c_char_p), ("at", C.c_size_t), ("values", C.c_size_t), ("rows", C.POINTER(mc_param)), ("count", C.c_int), ("needed", C.c_bool), ("live", C.c_ulonglong), ("without", C.c_ulonglong), ("from_file", C.c_ulonglong)]
mc_vehicle_facts._fields_ = [("length", C.c_double), ("width", C.c_double), ("height", C.c_double), ("mass", C.c_double), ("nominal_mass", C.c_double), ("max_acceleration", C.c_double), ("max_brake", C.c_double), ("pedals", C.c_bool), ("immediate", C.c_bool), ("deformable", C.c_bool), ("no_friction", C.c_char_p), ("friction_hint", C.c_char_p), ("front", C.c_double), ("rear", C.c_double), ("yaw_inertia", C.c_double), ("stiff_front", C.c_double), ("stiff_rear", C.c_double), ("turn_front", C.c_double * 10), ("turn_rear", C.c_double * 10)]
mc_vehicle_start._fields_ = [("spec", C.c_void_p), ("x", C.c_double), ("y", C.c_double), ("heading", C.c_double), ("v", C.c_double), ("a", C.c_double), ("restored", C.c_bool)]
mc_vehicle_setup._fields_ = [("size", C.c_size_t), ("road", C.c_void_p), ("step", C.c_double), ("max_step", C.c_double), ("time", C.c_double)]
mc_vehicle_type._fields_ = [("size", C.c_size_t), ("kind_size", C.c_size_t), ("name", C.c_char_p), ("doc", C.c_char_p), ("kind", C.POINTER(mc_vehicle_kind)), ("spec_size", C.c_size_t), ("facts", C.c_void_p), ("create", C.c_void_p), ("keys", C.POINTER(mc_model_key)), ("key_count", C.c_int), ("init", C.c_void_p), ("load", C.c_void_p), ("check", C.c_void_p), ("extra", C.c_void_p), ("same_batch", C.c_void_p), ("alone", C.c_int), ("same_state", C.c_void_p), ("asks_road", C.c_bool), ("look", C.c_char_p)]
mc_verify_benchmark._fields_ = [("name", C.c_char_p), ("doc", C.c_char_p), ("source", C.c_char_p)]
mc_verify_result._fields_ = [("benchmark", C.c_char_p), ("quantity", C.c_char_p), ("value", C.c_double), ("reference", C.c_double), ("digits", C.c_double), ("required", C.c_double), ("pass", C.c_bool)]
mc_verify_summary._fields_ = [("checks", C.c_int), ("failed", C.c_int), ("drift", C.c_double), ("seconds", C.c_double)]

FUNCTIONS = {  # name: (result, arguments)
    "mc_analysis_at": (C.POINTER(mc_analysis), [C.c_int]),
    "mc_analysis_find": (C.POINTER(mc_analysis), [C.c_char_p]),
    "mc_analysis_free": (None, [C.POINTER(mc_analysis_result)]),
    "mc_analysis_run": (C.c_int, [C.c_char_p, C.c_char_p, C.POINTER(mc_analysis_value), C.c_int, C.POINTER(mc_analysis_result), C.POINTER(mc_error)]),
    "mc_analysis_sweep": (C.c_int, [C.c_char_p, C.c_char_p, C.POINTER(mc_analysis_value), C.c_int, C.POINTER(C.c_char_p), C.c_int, C.POINTER(mc_analysis_result), C.POINTER(mc_error)]),
    "mc_collision_columns": (C.POINTER(mc_collision_column), [C.POINTER(C.c_int)]),
    "mc_collision_value": (C.c_double, [C.POINTER(mc_collision), C.POINTER(mc_collision_column)]),
    "mc_collisions_from_impacts": (C.c_int, [C.POINTER(mc_impact), C.c_int, C.c_double, C.c_void_p, C.POINTER(C.c_int), C.POINTER(mc_error)]),
    "mc_collisions_print": (C.c_int, [C.c_void_p, C.POINTER(mc_collision), C.c_int, C.c_int, C.POINTER(mc_error)]),
    "mc_collisions_total": (C.c_int, [C.POINTER(mc_collision), C.c_int, C.POINTER(mc_collision_totals), C.POINTER(mc_error)]),
    "mc_collisions_write": (C.c_int, [C.c_char_p, C.POINTER(mc_collision), C.c_int, C.POINTER(mc_error)]),
    "mc_collisions_write_csv": (C.c_int, [C.c_char_p, C.POINTER(mc_collision), C.c_int, C.POINTER(mc_error)]),
    "mc_collisions_write_json": (C.c_int, [C.c_char_p, C.POINTER(mc_collision), C.c_int, C.POINTER(mc_error)]),
    "mc_concept_assembly": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_concept_mass)]),
    "mc_concept_body": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_concept_mass)]),
    "mc_concept_body_of": (C.c_int, [C.c_void_p, C.c_int]),
    "mc_concept_bump_at": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_concept_bump)]),
    "mc_concept_change_template": (C.c_void_p, [C.c_char_p, C.c_char_p, C.c_char_p, C.c_char_p, C.c_void_p, C.c_void_p, C.POINTER(mc_error)]),
    "mc_concept_connection": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_concept_edge)]),
    "mc_concept_connection_kind_at": (C.c_bool, [C.c_int, C.POINTER(C.c_char_p), C.POINTER(C.c_char_p)]),
    "mc_concept_draw_graph": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_concept_edit": (C.c_void_p, [C.c_char_p, C.c_char_p, C.POINTER(mc_concept_change), C.c_int, C.POINTER(mc_error)]),
    "mc_concept_free": (None, [C.c_void_p]),
    "mc_concept_hardpoint_at": (C.c_bool, [C.c_int, C.c_int, C.POINTER(C.c_char_p), C.POINTER(C.c_char_p), C.POINTER(C.c_bool)]),
    "mc_concept_is_file": (C.c_bool, [C.c_char_p]),
    "mc_concept_is_text": (C.c_bool, [C.c_char_p]),
    "mc_concept_lint": (C.c_int, [C.c_void_p, C.c_void_p, C.c_void_p]),
    "mc_concept_live_create": (C.c_void_p, [C.POINTER(mc_error)]),
    "mc_concept_live_free": (None, [C.c_void_p]),
    "mc_concept_live_take": (C.c_int, [C.c_void_p, C.c_char_p, C.c_char_p, C.POINTER(mc_concept_state), C.POINTER(mc_error)]),
    "mc_concept_load": (C.c_void_p, [C.c_char_p, C.POINTER(mc_error)]),
    "mc_concept_loads_at": (C.c_int, [C.c_void_p, C.c_void_p, C.POINTER(C.c_double), C.POINTER(mc_concept_loads), C.POINTER(mc_error)]),
    "mc_concept_measure": (None, [C.c_void_p, C.POINTER(mc_concept_dimensions)]),
    "mc_concept_mechanism": (C.c_void_p, [C.c_void_p, C.POINTER(mc_concept_options), C.POINTER(mc_error)]),
    "mc_concept_name": (C.c_char_p, [C.c_void_p]),
    "mc_concept_on_tyres": (C.c_bool, [C.c_void_p]),
    "mc_concept_parse": (C.c_void_p, [C.c_char_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_concept_part": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_concept_mass)]),
    "mc_concept_repeat": (C.c_int, [C.c_void_p, C.c_char_p, C.c_double, C.c_double, C.POINTER(mc_concept_repeat_report), C.POINTER(mc_error)]),
    "mc_concept_ride_mechanism": (C.c_void_p, [C.c_void_p, C.POINTER(mc_concept_ride), C.POINTER(mc_error)]),
    "mc_concept_shape_of": (C.c_int, [C.c_void_p, C.c_int]),
    "mc_concept_speed": (C.c_double, [C.c_void_p]),
    "mc_concept_stand": (C.c_int, [C.c_void_p, C.POINTER(mc_concept_loads), C.POINTER(mc_error)]),
    "mc_concept_template_at": (C.c_bool, [C.c_int, C.POINTER(mc_concept_template)]),
    "mc_concept_values": (C.c_int, [C.c_char_p, C.c_char_p, C.c_void_p, C.c_void_p, C.POINTER(mc_error)]),
    "mc_concept_whole": (None, [C.c_void_p, C.POINTER(mc_concept_mass)]),
    "mc_concept_write_schema": (C.c_int, [C.c_void_p, C.POINTER(mc_error)]),
    "mc_conditions_count": (C.c_int, [C.c_void_p]),
    "mc_conditions_create": (C.c_void_p, [C.POINTER(mc_condition_line), C.c_int, C.POINTER(C.c_char_p), C.c_int, C.POINTER(mc_error)]),
    "mc_conditions_destroy": (None, [C.c_void_p]),
    "mc_conditions_failed": (C.c_int, [C.c_void_p, C.c_void_p]),
    "mc_conditions_first": (C.c_int, [C.c_void_p, C.c_void_p]),
    "mc_conditions_result": (None, [C.c_void_p, C.c_int, C.c_void_p, C.POINTER(mc_condition_result)]),
    "mc_drive_read": (C.c_int, [C.c_void_p, C.c_char_p, C.c_char_p, C.POINTER(mc_drive), C.POINTER(C.c_int), C.POINTER(mc_error)]),
    "mc_driven_column_find": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(mc_driven_column), C.POINTER(mc_error)]),
    "mc_driven_create": (C.c_void_p, [C.c_void_p, C.POINTER(C.c_double), C.POINTER(mc_driven_options), C.POINTER(mc_error)]),
    "mc_driven_default": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_driven_column)]),
    "mc_driven_describe": (None, [C.c_void_p, mc_driven_column, C.POINTER(mc_driven_about)]),
    "mc_driven_free": (None, [C.c_void_p]),
    "mc_driven_free_count": (C.c_int, [C.c_void_p]),
    "mc_dynavis_data_free": (None, [C.POINTER(mc_dynavis_data)]),
    "mc_dynavis_data_last": (C.POINTER(mc_dynavis_frame), [C.POINTER(mc_dynavis_data)]),
    "mc_dynavis_data_load": (C.POINTER(mc_dynavis_data), [C.c_char_p, C.POINTER(mc_dynavis_params), C.POINTER(mc_dynavis_options), C.POINTER(mc_error)]),
    "mc_dynavis_data_parse": (C.POINTER(mc_dynavis_data), [C.c_char_p, C.c_size_t, C.c_char_p, C.POINTER(mc_dynavis_params), C.POINTER(mc_dynavis_options), C.POINTER(mc_error)]),
    "mc_dynavis_data_write_csv": (C.c_int, [C.c_char_p, C.POINTER(mc_dynavis_data), C.POINTER(mc_error)]),
    "mc_dynavis_lane": (C.c_int, [C.c_double]),
    "mc_dynavis_models_parse": (C.c_int, [C.c_char_p, C.c_size_t, C.c_char_p, C.c_void_p, C.POINTER(C.c_int), C.POINTER(mc_error)]),
    "mc_dynavis_models_read": (C.c_int, [C.c_char_p, C.c_void_p, C.POINTER(C.c_int), C.POINTER(mc_error)]),
    "mc_dynavis_param_path": (C.c_int, [C.c_char_p, C.c_char_p, C.c_size_t, C.POINTER(mc_error)]),
    "mc_dynavis_params_check": (C.c_int, [C.POINTER(mc_dynavis_params), C.POINTER(mc_error)]),
    "mc_dynavis_params_defaults": (None, [C.c_int, C.POINTER(mc_dynavis_params)]),
    "mc_dynavis_params_of": (None, [C.POINTER(C.c_int), C.POINTER(C.c_double), C.c_int, C.POINTER(mc_dynavis_params)]),
    "mc_dynavis_params_parse": (C.c_int, [C.c_char_p, C.c_size_t, C.c_char_p, C.c_int, C.POINTER(mc_dynavis_params), C.POINTER(mc_error)]),
    "mc_dynavis_params_read": (C.c_int, [C.c_char_p, C.c_int, C.POINTER(mc_dynavis_params), C.POINTER(mc_error)]),
    "mc_dynavis_params_write": (C.c_int, [C.c_char_p, C.POINTER(mc_dynavis_params), C.POINTER(mc_error)]),
    "mc_dynavis_ramps_parse": (C.c_int, [C.c_char_p, C.c_size_t, C.c_char_p, C.c_void_p, C.POINTER(C.c_int), C.POINTER(mc_error)]),
    "mc_dynavis_ramps_read": (C.c_int, [C.c_char_p, C.c_void_p, C.POINTER(C.c_int), C.POINTER(mc_error)]),
    "mc_dynavis_ramps_write": (C.c_int, [C.c_char_p, C.POINTER(mc_dynavis_ramp), C.c_int, C.POINTER(mc_error)]),
    "mc_dynavis_write_scenario": (C.c_int, [C.c_char_p, C.POINTER(mc_dynavis_scenario), C.POINTER(mc_error)]),
    "mc_dynavis_writer_abandon": (None, [C.c_void_p]),
    "mc_dynavis_writer_close": (C.c_int, [C.c_void_p, C.POINTER(mc_error)]),
    "mc_dynavis_writer_open": (C.c_void_p, [C.c_char_p, C.POINTER(mc_dynavis_params), C.POINTER(mc_error)]),
    "mc_dynavis_writer_write": (C.c_int, [C.c_void_p, C.POINTER(mc_dynavis_frame), C.POINTER(mc_error)]),
    "mc_engine_at": (C.c_bool, [C.c_int, C.POINTER(mc_engine)]),
    "mc_engine_find": (C.c_int, [C.c_char_p, C.POINTER(mc_engine), C.POINTER(mc_error)]),
    "mc_error_format": (C.c_char_p, [C.POINTER(mc_error), C.c_char_p, C.c_int]),
    "mc_error_quote": (None, [C.POINTER(mc_error), C.c_char_p, C.c_int]),
    "mc_event_kind_at": (C.POINTER(mc_event_kind), [C.c_int]),
    "mc_event_kind_find": (C.POINTER(mc_event_kind), [C.c_char_p]),
    "mc_event_name": (C.c_char_p, [C.c_int]),
    "mc_event_sentence_find": (C.POINTER(mc_event_sentence), [C.c_char_p]),
    "mc_exchange_format": (C.c_char_p, [C.c_void_p]),
    "mc_exchange_format_at": (C.c_bool, [C.c_int, C.POINTER(mc_exchange_format_info)]),
    "mc_exchange_free": (None, [C.c_void_p]),
    "mc_exchange_knows": (C.c_bool, [C.c_char_p]),
    "mc_exchange_note": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(C.c_char_p), C.POINTER(C.c_int), C.POINTER(C.c_char_p)]),
    "mc_exchange_read": (C.c_void_p, [C.c_char_p, C.POINTER(mc_exchange_options), C.POINTER(mc_error)]),
    "mc_exchange_size": (C.c_size_t, [C.c_void_p]),
    "mc_exchange_text": (C.c_char_p, [C.c_void_p]),
    "mc_fcd_write": (C.c_int, [C.c_char_p, C.c_char_p, C.c_int, C.c_double, C.POINTER(mc_error)]),
    "mc_field_find": (C.c_int, [C.c_char_p]),
    "mc_figure_find": (C.c_int, [C.c_char_p]),
    "mc_figures_collide": (None, [C.c_void_p, C.c_double]),
    "mc_figures_create": (C.c_void_p, [C.POINTER(mc_figures_setup), C.POINTER(mc_error)]),
    "mc_figures_defaults": (mc_figures_setup, []),
    "mc_figures_destroy": (None, [C.c_void_p]),
    "mc_figures_over": (C.c_double, [C.c_void_p, C.c_int, C.c_int, C.c_int]),
    "mc_figures_restore": (None, [C.c_void_p, C.POINTER(C.c_double)]),
    "mc_figures_save": (None, [C.c_void_p, C.POINTER(C.c_double)]),
    "mc_figures_set_check_in_rejected": (None, [C.c_void_p, C.c_int]),
    "mc_figures_set_collisions": (None, [C.c_void_p, C.c_int, C.c_double]),
    "mc_figures_set_count": (None, [C.c_void_p, C.c_int, C.c_double]),
    "mc_figures_set_front": (None, [C.c_void_p, C.c_int, C.c_int]),
    "mc_figures_size": (C.c_int, [C.c_void_p]),
    "mc_figures_take": (None, [C.c_void_p, C.POINTER(mc_figures_row)]),
    "mc_figures_take_all": (None, [C.c_void_p, C.c_int, C.POINTER(C.c_double), C.POINTER(mc_figures_row)]),
    "mc_figures_value": (C.c_double, [C.c_void_p, C.c_int, C.c_int]),
    "mc_fmu_write": (C.c_int, [C.c_char_p, C.POINTER(mc_fmu_options), C.c_char_p, C.POINTER(mc_fmu_report), C.POINTER(mc_error)]),
    "mc_identify_bench": (C.c_int, [C.POINTER(C.c_double), C.c_ulonglong, C.POINTER(mc_identify_run), C.POINTER(mc_error)]),
    "mc_identify_defaults": (None, [C.POINTER(C.c_double)]),
    "mc_identify_drive": (C.c_int, [C.POINTER(C.c_double), C.POINTER(mc_identify_hand), C.c_int, C.c_ulonglong, C.POINTER(mc_identify_run), C.POINTER(mc_error)]),
    "mc_identify_run_free": (None, [C.POINTER(mc_identify_run)]),
    "mc_identify_study": (C.c_int, [C.POINTER(C.c_double), C.c_int, C.POINTER(mc_identify_noise), C.POINTER(mc_error)]),
    "mc_inverse": (C.c_int, [C.c_void_p, C.c_double, C.c_int, C.POINTER(mc_driven_output), C.POINTER(mc_watch), C.POINTER(mc_driven_report), C.POINTER(mc_error)]),
    "mc_inverse_at": (C.c_int, [C.c_void_p, C.c_double, C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(mc_error)]),
    "mc_joint_across": (None, [mc_joint_vector, C.POINTER(mc_joint_vector)]),
    "mc_joint_axis": (mc_joint_vector, [C.c_void_p, C.c_int]),
    "mc_joint_cosine": (mc_joint_formula, [C.c_void_p, mc_joint_formula]),
    "mc_joint_direction": (None, [C.c_void_p, mc_joint_vector, mc_joint_vector, mc_joint_formula]),
    "mc_joint_directions": (None, [C.c_void_p, mc_joint_vector, mc_joint_vector, mc_joint_vector, mc_joint_vector]),
    "mc_joint_distance": (None, [C.c_void_p, mc_joint_formula]),
    "mc_joint_kind_at": (C.POINTER(mc_joint_kind), [C.c_int]),
    "mc_joint_number": (mc_joint_formula, [C.c_void_p, C.c_double]),
    "mc_joint_point": (None, [C.c_void_p]),
    "mc_joint_product": (mc_joint_formula, [C.c_void_p, mc_joint_formula, mc_joint_formula]),
    "mc_joint_register": (C.c_int, [C.POINTER(mc_joint_kind), C.POINTER(mc_error)]),
    "mc_joint_slide": (None, [C.c_void_p, mc_joint_vector, mc_joint_formula]),
    "mc_joint_sum": (mc_joint_formula, [C.c_void_p, mc_joint_formula, mc_joint_formula]),
    "mc_joint_value_at": (mc_joint_formula, [C.c_void_p, C.c_int]),
    "mc_kinematics": (C.c_int, [C.c_void_p, C.c_int, C.POINTER(mc_driven_output), C.POINTER(mc_watch), C.POINTER(mc_driven_report), C.POINTER(mc_error)]),
    "mc_lateral_create": (C.c_void_p, [C.c_void_p, C.c_int, C.POINTER(mc_lateral_options), C.POINTER(mc_error)]),
    "mc_lateral_defaults": (mc_lateral_options, []),
    "mc_lateral_destroy": (None, [C.c_void_p]),
    "mc_lateral_gain": (C.c_double, [C.c_void_p, C.c_double, C.POINTER(C.c_double)]),
    "mc_lateral_loop": (C.c_double, [C.c_void_p, C.c_double, C.POINTER(C.c_double)]),
    "mc_lateral_push": (C.c_double, [C.c_void_p, C.c_double]),
    "mc_lateral_result_of": (C.POINTER(mc_lateral_result), [C.c_void_p]),
    "mc_law_at": (C.c_bool, [C.c_int, C.POINTER(mc_law)]),
    "mc_law_default": (C.c_char_p, [C.c_int]),
    "mc_law_find": (C.c_bool, [C.c_char_p, C.POINTER(mc_law)]),
    "mc_law_line_at": (C.c_bool, [C.c_char_p, C.c_int, C.POINTER(mc_law_line)]),
    "mc_law_register": (C.c_int, [C.POINTER(mc_law_text), C.POINTER(mc_error)]),
    "mc_law_signal_at": (C.c_bool, [C.c_int, C.POINTER(mc_law_signal)]),
    "mc_linear_free": (None, [C.POINTER(mc_linear)]),
    "mc_look_mesh_free": (None, [C.POINTER(mc_look_mesh)]),
    "mc_manoeuvre_at": (C.POINTER(mc_manoeuvre), [C.c_int]),
    "mc_manoeuvre_cones": (C.POINTER(mc_manoeuvre_cone), [C.c_void_p, C.POINTER(C.c_int)]),
    "mc_manoeuvre_find": (C.POINTER(mc_manoeuvre), [C.c_char_p]),
    "mc_manoeuvre_free": (None, [C.c_void_p]),
    "mc_manoeuvre_param": (C.c_double, [C.c_void_p, C.c_int]),
    "mc_manoeuvre_rows": (C.POINTER(mc_manoeuvre_row), [C.c_void_p, C.POINTER(C.c_int)]),
    "mc_manoeuvre_run": (C.c_void_p, [C.POINTER(mc_manoeuvre), C.POINTER(mc_manoeuvre_options), C.POINTER(mc_error)]),
    "mc_manoeuvre_scenario": (C.c_char_p, [C.c_void_p]),
    "mc_manoeuvre_value": (C.c_double, [C.c_void_p, C.c_int]),
    "mc_medusa_bound": (C.c_double, [C.c_void_p]),
    "mc_medusa_column_group": (C.c_bool, [C.c_void_p, C.POINTER(mc_medusa_output), C.c_int, C.POINTER(mc_medusa_columns)]),
    "mc_medusa_defaults": (mc_medusa_options, []),
    "mc_medusa_equilibrium": (C.c_int, [C.c_char_p, C.c_int, C.POINTER(C.c_double), C.POINTER(C.c_int), C.POINTER(C.c_int), C.POINTER(mc_error)]),
    "mc_medusa_equilibrium_write": (C.c_int, [C.c_char_p, C.c_int, C.POINTER(mc_error)]),
    "mc_medusa_free": (None, [C.c_void_p]),
    "mc_medusa_greatest_deformation": (C.POINTER(mc_medusa_moment), [C.c_void_p]),
    "mc_medusa_is_platoon": (C.c_bool, [C.c_char_p]),
    "mc_medusa_load": (C.c_void_p, [C.POINTER(mc_medusa_options), C.POINTER(mc_error)]),
    "mc_medusa_run": (C.c_int, [C.c_void_p, C.POINTER(mc_medusa_output), C.POINTER(mc_watch), C.POINTER(mc_error)]),
    "mc_medusa_scenario": (C.c_int, [C.POINTER(mc_medusa_options), C.POINTER(mc_medusa_live), C.POINTER(C.c_char_p), C.POINTER(mc_error)]),
    "mc_medusa_step": (C.c_double, [C.c_void_p]),
    "mc_medusa_vehicle_count": (C.c_int, [C.c_void_p]),
    "mc_medusa_warnings": (None, [C.c_void_p, C.c_void_p, C.c_void_p]),
    "mc_medusa_world": (C.c_void_p, [C.c_void_p]),
    "mc_method_at": (C.c_bool, [C.c_int, C.POINTER(mc_method)]),
    "mc_method_find": (C.c_int, [C.c_char_p, C.POINTER(mc_method), C.POINTER(mc_error)]),
    "mc_motion_free": (None, [C.POINTER(mc_motion)]),
    "mc_motion_is": (C.c_bool, [C.c_char_p]),
    "mc_motion_load": (C.POINTER(mc_motion), [C.c_char_p, C.POINTER(mc_error)]),
    "mc_motion_mechanism": (C.c_void_p, [C.POINTER(mc_motion)]),
    "mc_motion_row_count": (C.c_int, [C.POINTER(mc_motion)]),
    "mc_motion_state": (C.POINTER(C.c_double), [C.POINTER(mc_motion), C.c_int]),
    "mc_motion_time": (C.c_double, [C.POINTER(mc_motion), C.c_int]),
    "mc_multibody_accelerations": (None, [C.c_void_p, C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(C.c_double)]),
    "mc_multibody_accelerations_lanes": (None, [C.c_void_p, C.c_int, C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(C.c_double)]),
    "mc_multibody_accelerations_table": (C.c_int, [C.c_void_p, C.c_char_p, C.c_bool, C.c_void_p, C.c_void_p, C.POINTER(mc_error)]),
    "mc_multibody_assemble": (C.c_int, [C.c_void_p, C.c_double, C.POINTER(C.c_double), C.POINTER(mc_error)]),
    "mc_multibody_body": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_part_body)]),
    "mc_multibody_check": (C.c_int, [C.c_void_p, C.POINTER(mc_error)]),
    "mc_multibody_end": (C.c_double, [C.c_void_p]),
    "mc_multibody_equilibrium": (C.c_int, [C.c_void_p, C.POINTER(C.c_double), C.POINTER(mc_equilibrium_options), C.POINTER(mc_equilibrium_report), C.POINTER(mc_error)]),
    "mc_multibody_find": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(C.c_int), C.POINTER(C.c_int), C.POINTER(mc_error)]),
    "mc_multibody_free": (None, [C.c_void_p]),
    "mc_multibody_gap": (C.c_double, [C.c_void_p, C.c_double, C.POINTER(C.c_double)]),
    "mc_multibody_get": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(C.c_double), C.POINTER(mc_error)]),
    "mc_multibody_graph": (C.c_bool, [C.c_void_p, C.POINTER(mc_graph)]),
    "mc_multibody_graph_joint": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_graph_joint)]),
    "mc_multibody_ground": (C.c_bool, [C.c_void_p, C.c_double, C.c_double, C.POINTER(C.c_double)]),
    "mc_multibody_info_of": (C.POINTER(mc_multibody_info), [C.c_void_p]),
    "mc_multibody_is_model": (C.c_bool, [C.c_char_p]),
    "mc_multibody_is_text": (C.c_bool, [C.c_char_p, C.c_size_t]),
    "mc_multibody_jacobian": (C.c_int, [C.c_void_p, C.c_double, C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(mc_error)]),
    "mc_multibody_joint": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_part_joint)]),
    "mc_multibody_joint_loads": (C.c_int, [C.c_void_p, C.c_double, C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(mc_error)]),
    "mc_multibody_kernel_state": (C.c_int, [C.c_void_p, C.POINTER(C.c_char_p)]),
    "mc_multibody_kinematics": (C.c_int, [C.c_void_p, C.c_double, C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(mc_error)]),
    "mc_multibody_kinematics_name": (C.c_char_p, [C.c_void_p, C.c_int]),
    "mc_multibody_linearize": (C.c_int, [C.c_void_p, C.c_double, C.POINTER(C.c_double), C.POINTER(mc_linear_options), C.POINTER(mc_linear), C.POINTER(mc_error)]),
    "mc_multibody_load": (C.c_void_p, [C.c_char_p, C.POINTER(mc_multibody_options), C.POINTER(mc_error)]),
    "mc_multibody_matrices": (C.c_int, [C.c_void_p, C.c_double, C.POINTER(C.c_double), C.POINTER(mc_error)]),
    "mc_multibody_matrix": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_matrix)]),
    "mc_multibody_multipliers": (None, [C.c_void_p, C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(C.c_double)]),
    "mc_multibody_name": (C.c_char_p, [C.c_void_p, C.c_int, C.c_int]),
    "mc_multibody_normalise": (None, [C.c_void_p, C.POINTER(C.c_double)]),
    "mc_multibody_outputs": (None, [C.c_void_p, C.c_double, C.POINTER(C.c_double), C.POINTER(C.c_double)]),
    "mc_multibody_outputs_under": (None, [C.c_void_p, C.c_double, C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(C.c_double)]),
    "mc_multibody_parse": (C.c_void_p, [C.c_char_p, C.c_char_p, C.POINTER(mc_multibody_options), C.POINTER(mc_error)]),
    "mc_multibody_point": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_part_point)]),
    "mc_multibody_project": (None, [C.c_void_p, C.c_double, C.POINTER(C.c_double)]),
    "mc_multibody_push": (C.c_int, [C.c_void_p, C.c_double, C.POINTER(C.c_double), C.c_int, C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(mc_error)]),
    "mc_multibody_rate": (None, [C.c_void_p, C.c_double, C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(C.c_double)]),
    "mc_multibody_row": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_constraint_row)]),
    "mc_multibody_sensitivity": (C.c_int, [C.c_void_p, C.POINTER(mc_linear), C.c_char_p, C.c_bool, C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(mc_error)]),
    "mc_multibody_set": (C.c_int, [C.c_void_p, C.c_char_p, C.c_double, C.POINTER(mc_error)]),
    "mc_multibody_settle": (C.c_int, [C.c_void_p, C.POINTER(C.c_double), C.POINTER(mc_error)]),
    "mc_multibody_shape": (C.c_bool, [C.c_void_p, C.c_int, C.c_int, C.POINTER(mc_part_shape)]),
    "mc_multibody_shape_mesh": (None, [C.c_void_p, C.c_int, C.c_int, C.POINTER(C.c_double), C.POINTER(C.c_int)]),
    "mc_multibody_spring": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_part_spring)]),
    "mc_multibody_stage": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_stage)]),
    "mc_multibody_stand": (C.c_int, [C.c_void_p, C.POINTER(C.c_double), C.POINTER(mc_standing), C.POINTER(mc_error)]),
    "mc_multibody_start": (None, [C.c_void_p, C.POINTER(C.c_double)]),
    "mc_multibody_step": (C.c_double, [C.c_void_p]),
    "mc_multibody_structure": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_structure)]),
    "mc_multibody_take": (C.c_int, [C.c_void_p, C.c_char_p, C.c_char_p, C.POINTER(C.c_bool), C.POINTER(mc_error)]),
    "mc_multibody_text": (C.c_char_p, [C.c_void_p]),
    "mc_multibody_unit": (C.c_char_p, [C.c_void_p, C.c_int, C.c_int]),
    "mc_multibody_wait": (None, [C.c_void_p]),
    "mc_multibody_wheel_body": (C.c_char_p, [C.c_void_p, C.c_int]),
    "mc_multibody_wheel_count": (C.c_int, [C.c_void_p]),
    "mc_multibody_wheel_loads": (C.c_int, [C.c_void_p, C.c_double, C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(mc_error)]),
    "mc_multibody_write_code": (C.c_int, [C.c_void_p, C.c_int, C.c_int, C.c_char_p, C.POINTER(mc_error)]),
    "mc_multibody_write_schema": (C.c_int, [C.c_void_p, C.POINTER(mc_error)]),
    "mc_picture_colour": (None, [C.c_double, C.POINTER(C.c_ubyte)]),
    "mc_picture_layout_find": (None, [C.POINTER(mc_picture), C.POINTER(mc_picture_layout)]),
    "mc_picture_outline": (None, [C.POINTER(C.c_double), C.POINTER(C.c_double), C.c_int, C.POINTER(mc_picture_ellipse)]),
    "mc_picture_shown_axes": (None, [C.POINTER(mc_picture_vehicle), C.c_double, C.POINTER(C.c_double)]),
    "mc_picture_write": (C.c_int, [C.c_char_p, C.POINTER(mc_picture), C.POINTER(mc_error)]),
    "mc_plot_bars_text": (C.c_int, [C.POINTER(mc_plot_bars), C.POINTER(C.c_char_p), C.POINTER(C.c_size_t), C.POINTER(mc_error)]),
    "mc_plot_by_unit": (C.c_int, [C.POINTER(mc_plot_curve), C.c_int, C.POINTER(mc_plot_panel)]),
    "mc_plot_heat_text": (C.c_int, [C.POINTER(mc_plot_heat), C.POINTER(C.c_char_p), C.POINTER(C.c_size_t), C.POINTER(mc_error)]),
    "mc_plot_layout_find": (C.c_int, [C.POINTER(mc_plot), C.POINTER(mc_plot_layout), C.POINTER(mc_error)]),
    "mc_plot_matrix_counts": (None, [C.POINTER(mc_plot_matrix), C.POINTER(C.c_long)]),
    "mc_plot_matrix_text": (C.c_int, [C.c_char_p, C.POINTER(mc_plot_matrix), C.c_int, C.POINTER(C.c_char_p), C.POINTER(C.c_size_t), C.POINTER(mc_error)]),
    "mc_plot_matrix_write": (C.c_int, [C.c_char_p, C.c_char_p, C.POINTER(mc_plot_matrix), C.c_int, C.POINTER(mc_error)]),
    "mc_plot_px": (C.c_double, [C.POINTER(mc_plot_scale), C.c_double]),
    "mc_plot_text": (C.c_int, [C.POINTER(mc_plot), C.POINTER(C.c_char_p), C.POINTER(C.c_size_t), C.POINTER(mc_error)]),
    "mc_plot_ticks": (C.c_int, [C.c_double, C.c_double, C.c_int, C.POINTER(C.c_double)]),
    "mc_plot_write": (C.c_int, [C.c_char_p, C.POINTER(mc_plot), C.POINTER(mc_error)]),
    "mc_powertrain_at": (C.c_bool, [C.c_int, C.POINTER(mc_powertrain)]),
    "mc_powertrain_default": (C.c_char_p, [C.c_int]),
    "mc_powertrain_find": (C.c_bool, [C.c_char_p, C.POINTER(mc_powertrain)]),
    "mc_powertrain_steady_speeds": (C.c_int, [C.c_char_p, C.POINTER(mc_powertrain_set), C.c_double, C.POINTER(mc_powertrain_steady), C.c_int, C.POINTER(C.c_int), C.POINTER(mc_error)]),
    "mc_recording_abandon": (None, [C.c_void_p]),
    "mc_recording_close": (C.c_int, [C.c_void_p, C.POINTER(mc_error)]),
    "mc_recording_ended": (C.c_char_p, [C.c_void_p]),
    "mc_recording_expect": (None, [C.c_void_p, C.c_int, C.POINTER(mc_condition_result)]),
    "mc_recording_expect_count": (C.c_int, [C.c_void_p]),
    "mc_recording_failed": (C.c_int, [C.c_void_p]),
    "mc_recording_figures": (C.c_void_p, [C.c_void_p]),
    "mc_recording_gone": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_collision), C.POINTER(C.c_char_p)]),
    "mc_recording_open": (C.c_void_p, [C.c_void_p, C.POINTER(mc_record_output), C.POINTER(mc_error)]),
    "mc_recording_play": (C.c_int, [C.c_void_p, C.POINTER(mc_watch), C.POINTER(mc_error)]),
    "mc_recording_resume": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_recording_vehicle_name": (C.c_char_p, [C.c_void_p, C.c_int]),
    "mc_render_camera": (C.c_char_p, [C.c_int]),
    "mc_render_defaults": (mc_render_options, []),
    "mc_render_write": (C.c_int, [C.c_char_p, C.c_char_p, C.POINTER(mc_render_options), C.POINTER(mc_error)]),
    "mc_replay_car_at": (None, [C.c_void_p, C.c_int, C.POINTER(mc_replay_car)]),
    "mc_replay_event_at": (C.c_int, [C.c_void_p, C.c_int, C.POINTER(mc_happened)]),
    "mc_replay_free": (None, [C.c_void_p]),
    "mc_replay_impacts": (C.POINTER(mc_impact), [C.c_void_p, C.POINTER(C.c_int)]),
    "mc_replay_info_of": (C.POINTER(mc_replay_info), [C.c_void_p]),
    "mc_replay_load": (C.c_void_p, [C.c_char_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_replay_poses": (C.POINTER(C.c_double), [C.c_void_p, C.c_int]),
    "mc_replay_row": (C.POINTER(C.c_double), [C.c_void_p, C.c_int, C.c_int]),
    "mc_replay_time": (C.c_double, [C.c_void_p, C.c_int]),
    "mc_report_text": (C.c_int, [C.c_char_p, C.POINTER(C.c_char_p), C.POINTER(C.c_size_t), C.POINTER(mc_error)]),
    "mc_report_write": (C.c_int, [C.c_char_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_road_at": (None, [C.c_void_p, C.c_double, C.c_double, C.c_double, C.POINTER(mc_road_point)]),
    "mc_road_draw": (C.c_int, [C.c_void_p, C.c_char_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_road_file_format": (C.c_char_p, [C.c_void_p]),
    "mc_road_file_free": (None, [C.c_void_p]),
    "mc_road_file_note": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(C.c_int), C.POINTER(C.c_char_p)]),
    "mc_road_file_read": (C.c_void_p, [C.c_char_p, C.POINTER(mc_error)]),
    "mc_road_file_road": (C.c_void_p, [C.c_void_p]),
    "mc_road_file_write": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(mc_road_write_options), C.POINTER(mc_error)]),
    "mc_road_gap": (C.c_double, [C.c_void_p, C.c_int]),
    "mc_road_lane_at": (C.c_bool, [C.c_void_p, C.c_int, C.c_int, C.c_double, C.POINTER(mc_road_lane)]),
    "mc_road_lane_centre": (C.c_double, [C.c_void_p, C.c_int, C.c_int, C.c_double, C.POINTER(C.c_double)]),
    "mc_road_lane_count": (C.c_int, [C.c_void_p, C.c_int]),
    "mc_road_on": (None, [C.c_void_p, C.c_int, C.c_double, C.c_double, C.c_double, C.POINTER(mc_road_point)]),
    "mc_road_path_at": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_road_path)]),
    "mc_road_path_base": (C.c_double, [C.c_void_p, C.c_int]),
    "mc_road_path_count": (C.c_int, [C.c_void_p]),
    "mc_road_place": (None, [C.c_void_p, C.c_int, C.c_double, C.c_double, C.POINTER(C.c_double), C.POINTER(C.c_double), C.POINTER(C.c_double)]),
    "mc_road_ramp_at": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_road_ramp)]),
    "mc_road_ramp_count": (C.c_int, [C.c_void_p]),
    "mc_road_sample": (C.c_int, [C.c_void_p, C.c_double, C.c_char_p, C.POINTER(mc_error)]),
    "mc_road_section_at": (C.c_bool, [C.c_void_p, C.c_int, C.c_int, C.POINTER(C.c_double)]),
    "mc_road_stand": (None, [C.c_void_p, C.c_double, C.c_double, C.c_double, C.POINTER(mc_road_point)]),
    "mc_road_write": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(mc_road_write_options), C.POINTER(mc_error)]),
    "mc_run_accelerate": (C.c_int, [C.c_void_p, C.c_int, C.c_double, C.POINTER(mc_error)]),
    "mc_run_adopt": (C.c_int, [C.c_void_p, C.c_void_p, C.POINTER(mc_error)]),
    "mc_run_bench": (C.c_int, [C.c_void_p, C.c_int, C.POINTER(mc_vehicle_bench), C.POINTER(mc_error)]),
    "mc_run_carry_edits": (C.c_int, [C.c_void_p, C.POINTER(mc_error)]),
    "mc_run_channels": (C.c_int, [C.c_void_p, C.c_int, C.c_void_p]),
    "mc_run_check_in_rejected": (C.c_int, [C.c_void_p]),
    "mc_run_clock_of": (None, [C.c_void_p, C.POINTER(mc_run_clock)]),
    "mc_run_command": (C.c_int, [C.c_void_p, C.POINTER(mc_command), C.POINTER(mc_error)]),
    "mc_run_compiled": (C.c_bool, [C.c_void_p, C.POINTER(C.c_char_p)]),
    "mc_run_controller_at": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_run_controller_info)]),
    "mc_run_controller_line": (C.c_bool, [C.c_void_p, C.c_int, C.c_int, C.POINTER(mc_law_line)]),
    "mc_run_counts_of": (mc_run_counts, [C.c_void_p]),
    "mc_run_create": (C.c_void_p, [C.c_void_p, C.POINTER(mc_run_options), C.POINTER(mc_error)]),
    "mc_run_destroy": (None, [C.c_void_p]),
    "mc_run_drive": (C.c_int, [C.c_void_p, C.c_int, C.POINTER(mc_inputs), C.POINTER(mc_error)]),
    "mc_run_edit": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_run_elevation": (C.c_double, [C.c_void_p, C.c_double]),
    "mc_run_energy": (None, [C.c_void_p, C.c_int, C.POINTER(mc_energy)]),
    "mc_run_ersc_of": (None, [C.c_void_p, C.c_int, C.POINTER(mc_run_ersc)]),
    "mc_run_estimate_of": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_run_estimate)]),
    "mc_run_estimator_name": (C.c_char_p, [C.c_void_p, C.c_int]),
    "mc_run_export": (C.c_void_p, [C.c_void_p, C.c_bool, C.POINTER(mc_error)]),
    "mc_run_find": (C.c_int, [C.c_void_p, C.c_char_p]),
    "mc_run_fmu_failure": (C.c_char_p, [C.c_void_p]),
    "mc_run_follow_log": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_run_forget_commands": (None, [C.c_void_p]),
    "mc_run_happened_at": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_happened)]),
    "mc_run_happened_count": (C.c_int, [C.c_void_p]),
    "mc_run_has_ersc": (C.c_bool, [C.c_void_p]),
    "mc_run_has_estimators": (C.c_bool, [C.c_void_p]),
    "mc_run_hash": (C.c_ulonglong, [C.c_void_p]),
    "mc_run_impacts": (C.POINTER(mc_impact), [C.c_void_p, C.POINTER(C.c_int)]),
    "mc_run_instant_count": (C.c_int, [C.c_void_p]),
    "mc_run_instant_has": (C.c_bool, [C.c_void_p, C.c_int, C.c_int]),
    "mc_run_instant_leave": (None, [C.c_void_p]),
    "mc_run_instant_show": (None, [C.c_void_p, C.c_int]),
    "mc_run_instant_time": (C.c_double, [C.c_void_p, C.c_int]),
    "mc_run_lateral_error": (C.c_double, [C.c_void_p, C.c_int]),
    "mc_run_lateral_of": (None, [C.c_void_p, C.c_int, C.POINTER(mc_run_lateral)]),
    "mc_run_limit": (C.c_double, [C.c_void_p]),
    "mc_run_linear": (C.c_int, [C.c_void_p, C.c_int, C.c_int, C.POINTER(mc_run_linear_model), C.POINTER(mc_error)]),
    "mc_run_linear_response": (None, [C.POINTER(mc_run_linear_model), C.c_double, C.POINTER(C.c_double), C.POINTER(C.c_double)]),
    "mc_run_log_at": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_log_entry)]),
    "mc_run_log_count": (C.c_int, [C.c_void_p]),
    "mc_run_look": (None, [C.c_void_p, C.c_int, C.POINTER(mc_run_view)]),
    "mc_run_look_mesh": (C.c_int, [C.c_void_p, C.c_int, C.POINTER(mc_look_mesh), C.POINTER(mc_error)]),
    "mc_run_mass": (C.c_double, [C.c_void_p, C.c_int]),
    "mc_run_middle": (C.c_double, [C.c_void_p, C.c_int]),
    "mc_run_model_at": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_run_model_info)]),
    "mc_run_momentum": (None, [C.c_void_p, C.c_int, C.POINTER(C.c_double), C.POINTER(C.c_double)]),
    "mc_run_origin": (C.c_void_p, [C.c_void_p]),
    "mc_run_own_value": (C.c_bool, [C.c_void_p, C.c_int, C.c_char_p, C.POINTER(C.c_double)]),
    "mc_run_param_at": (C.c_bool, [C.c_void_p, C.c_int, C.c_int, C.POINTER(mc_run_param)]),
    "mc_run_plot_write": (C.c_int, [C.c_char_p, C.POINTER(mc_run_plot), C.c_char_p, C.c_char_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_run_pose": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_pose)]),
    "mc_run_profile_name": (C.c_char_p, [C.c_void_p, C.c_int]),
    "mc_run_pushed": (C.c_double, [C.c_void_p, C.c_int]),
    "mc_run_read_channels": (None, [C.c_void_p, C.c_int, C.POINTER(C.c_double)]),
    "mc_run_read_checkpoint": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_run_read_checkpoint_with": (C.c_int, [C.c_void_p, C.c_char_p, C.c_void_p, C.c_size_t, C.POINTER(mc_error)]),
    "mc_run_read_fields": (None, [C.c_void_p, C.c_int, C.POINTER(C.c_double), C.POINTER(C.c_double)]),
    "mc_run_read_row": (None, [C.c_void_p, C.POINTER(mc_row)]),
    "mc_run_release": (C.c_int, [C.c_void_p, C.c_int, C.POINTER(mc_error)]),
    "mc_run_renamed": (C.c_bool, [C.c_void_p, C.c_char_p, C.c_size_t]),
    "mc_run_restore": (C.c_int, [C.c_void_p, C.POINTER(mc_snapshot), C.POINTER(mc_error)]),
    "mc_run_road": (None, [C.c_void_p, C.POINTER(mc_run_road_info)]),
    "mc_run_save": (C.c_int, [C.c_void_p, C.POINTER(mc_snapshot), C.POINTER(mc_error)]),
    "mc_run_scenario": (C.c_void_p, [C.c_void_p]),
    "mc_run_schedule": (C.c_int, [C.c_void_p, C.POINTER(mc_log_entry), C.POINTER(mc_error)]),
    "mc_run_section_at": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_run_section)]),
    "mc_run_skipped": (C.c_int, [C.c_void_p, C.POINTER(C.c_char_p)]),
    "mc_run_slope": (C.c_double, [C.c_void_p, C.c_double]),
    "mc_run_step": (C.c_int, [C.c_void_p, C.POINTER(mc_error)]),
    "mc_run_step_count": (C.c_longlong, [C.c_void_p]),
    "mc_run_step_size": (C.c_double, [C.c_void_p]),
    "mc_run_surface": (None, [C.c_void_p, C.c_int, C.POINTER(mc_ellipsoid)]),
    "mc_run_switch_at": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_run_switch)]),
    "mc_run_time": (C.c_double, [C.c_void_p]),
    "mc_run_unroll": (None, [C.c_void_p, C.POINTER(mc_impact), C.POINTER(mc_impact)]),
    "mc_run_vehicle": (None, [C.c_void_p, C.c_int, C.POINTER(mc_run_vehicle_info)]),
    "mc_run_vehicle_count": (C.c_int, [C.c_void_p]),
    "mc_run_vehicle_name": (C.c_char_p, [C.c_void_p, C.c_int]),
    "mc_run_wheels": (C.c_int, [C.c_void_p, C.c_int, C.POINTER(mc_wheel)]),
    "mc_run_write_checkpoint": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_run_write_checkpoint_with": (C.c_int, [C.c_void_p, C.c_char_p, C.c_void_p, C.c_size_t, C.POINTER(mc_error)]),
    "mc_run_write_log": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_runs_arrays_of": (C.POINTER(mc_runs_arrays), [C.c_void_p]),
    "mc_runs_at": (C.c_void_p, [C.c_void_p, C.c_int]),
    "mc_runs_create": (C.c_void_p, [C.POINTER(mc_runs_request), C.POINTER(mc_error)]),
    "mc_runs_destroy": (None, [C.c_void_p]),
    "mc_runs_failure": (C.c_char_p, [C.c_void_p, C.c_int]),
    "mc_runs_observe": (None, [C.c_void_p]),
    "mc_runs_play": (C.c_int, [C.POINTER(mc_runs_request), C.POINTER(mc_runs_results), C.POINTER(mc_watch), C.POINTER(mc_error)]),
    "mc_runs_reset": (C.c_int, [C.c_void_p, C.POINTER(C.c_ubyte), C.POINTER(C.c_double), C.POINTER(mc_error)]),
    "mc_runs_step": (C.c_int, [C.c_void_p, C.POINTER(mc_error)]),
    "mc_scenario_channel_at": (C.c_char_p, [C.c_void_p, C.c_int]),
    "mc_scenario_edit": (C.c_void_p, [C.c_void_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_scenario_edit_at": (C.c_void_p, [C.c_void_p, C.c_double, C.c_char_p, C.POINTER(mc_error)]),
    "mc_scenario_expect_at": (C.c_int, [C.c_void_p, C.c_int, C.POINTER(mc_scenario_line)]),
    "mc_scenario_file_at": (C.c_bool, [C.c_void_p, C.c_int, C.POINTER(mc_scenario_file)]),
    "mc_scenario_file_name": (C.c_char_p, [C.c_void_p, C.c_int]),
    "mc_scenario_free": (None, [C.c_void_p]),
    "mc_scenario_info_of": (C.POINTER(mc_scenario_info), [C.c_void_p]),
    "mc_scenario_load": (C.c_void_p, [C.c_char_p, C.POINTER(mc_error)]),
    "mc_scenario_parse": (C.c_void_p, [C.c_char_p, C.c_size_t, C.c_char_p, C.POINTER(mc_error)]),
    "mc_scenario_parse_bundle": (C.c_void_p, [C.c_char_p, C.c_size_t, C.c_char_p, C.POINTER(mc_error)]),
    "mc_scenario_ramp_lines": (C.c_char_p, [C.c_void_p, C.POINTER(C.c_size_t)]),
    "mc_scenario_road": (C.c_void_p, [C.c_void_p]),
    "mc_scenario_road_json": (C.c_void_p, [C.c_void_p]),
    "mc_scenario_set": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_scenario_stop_at": (C.c_int, [C.c_void_p, C.c_int, C.POINTER(mc_scenario_line)]),
    "mc_scenario_text": (C.c_char_p, [C.c_void_p]),
    "mc_scenario_warning": (C.c_char_p, [C.c_void_p, C.c_int]),
    "mc_scenario_write_schema": (C.c_int, [C.c_void_p, C.POINTER(mc_error)]),
    "mc_scheme_default_step": (C.c_double, [C.c_int]),
    "mc_scheme_name": (C.c_char_p, [C.c_int]),
    "mc_section_alloc": (C.c_void_p, [C.c_void_p, C.c_size_t]),
    "mc_section_error": (C.POINTER(mc_error), [C.c_void_p]),
    "mc_section_has": (C.c_bool, [C.c_void_p, C.c_char_p]),
    "mc_shape_finish_name": (C.c_char_p, [C.c_int]),
    "mc_shape_kind_name": (C.c_char_p, [C.c_int]),
    "mc_simulate": (C.c_int, [C.c_void_p, C.POINTER(mc_simulate_options), C.POINTER(C.c_double), C.POINTER(mc_simulate_output), C.POINTER(mc_watch), C.POINTER(mc_simulate_report), C.POINTER(mc_error)]),
    "mc_simulate_column_find": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(mc_simulate_column), C.POINTER(mc_error)]),
    "mc_simulate_defaults": (mc_simulate_options, [C.c_void_p]),
    "mc_simulate_describe": (None, [C.c_void_p, C.c_int, C.c_int, C.POINTER(mc_simulate_about)]),
    "mc_simulate_row_count": (C.c_longlong, [C.POINTER(mc_simulate_options)]),
    "mc_simulate_set": (C.c_int, [C.c_void_p, C.POINTER(C.c_double), C.c_char_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_simulate_value": (C.c_double, [C.c_void_p, mc_simulate_column, C.POINTER(C.c_double), C.POINTER(C.c_double)]),
    "mc_snapshot_free": (None, [C.POINTER(mc_snapshot)]),
    "mc_solver_at": (C.c_bool, [C.c_int, C.POINTER(mc_solver)]),
    "mc_solver_find": (C.c_int, [C.c_char_p, C.POINTER(mc_solver), C.POINTER(mc_error)]),
    "mc_stability_create": (C.c_void_p, [C.POINTER(mc_stability_options), C.POINTER(mc_error)]),
    "mc_stability_create_for_run": (C.c_void_p, [C.c_void_p, C.c_int, C.POINTER(C.c_char_p), C.POINTER(C.c_double), C.c_int, C.POINTER(mc_error)]),
    "mc_stability_defaults": (mc_stability_options, []),
    "mc_stability_destroy": (None, [C.c_void_p]),
    "mc_stability_gain": (C.c_double, [C.c_void_p, C.c_double, C.POINTER(C.c_double)]),
    "mc_stability_gain_leader": (C.c_double, [C.c_void_p, C.c_double, C.POINTER(C.c_double)]),
    "mc_stability_measure": (C.c_int, [C.POINTER(C.c_double), C.c_int, C.c_void_p, C.c_int, C.c_double, C.c_double, C.c_int, C.POINTER(mc_stability_gains), C.POINTER(mc_error)]),
    "mc_stability_min_headway": (C.c_double, [C.c_void_p]),
    "mc_stability_result_of": (C.POINTER(mc_stability_result), [C.c_void_p]),
    "mc_status_exit_code": (C.c_int, [C.c_int]),
    "mc_steering_at": (C.c_bool, [C.c_int, C.POINTER(mc_law)]),
    "mc_steering_find": (C.c_bool, [C.c_char_p, C.POINTER(mc_law)]),
    "mc_steering_line_at": (C.c_bool, [C.c_char_p, C.c_int, C.POINTER(mc_law_line)]),
    "mc_steering_register": (C.c_int, [C.POINTER(mc_law_text), C.POINTER(mc_error)]),
    "mc_steering_signal_at": (C.c_bool, [C.c_int, C.POINTER(mc_law_signal)]),
    "mc_studio_address": (C.c_char_p, [C.c_void_p]),
    "mc_studio_ask": (C.c_void_p, [C.c_void_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_studio_create": (C.c_void_p, [C.POINTER(mc_studio_options), C.POINTER(mc_error)]),
    "mc_studio_defaults": (mc_studio_options, []),
    "mc_studio_destroy": (None, [C.c_void_p]),
    "mc_studio_shipped": (C.c_bool, [C.c_char_p, C.c_char_p, C.c_size_t]),
    "mc_studio_wait": (C.c_int, [C.c_void_p, C.c_void_p, C.c_void_p, C.POINTER(mc_error)]),
    "mc_suspension_curves_free": (None, [C.POINTER(mc_suspension_curves)]),
    "mc_suspension_measure": (C.c_int, [C.c_void_p, C.POINTER(mc_suspension_options), C.POINTER(mc_suspension_curves), C.POINTER(mc_error)]),
    "mc_sweep_axes": (C.c_int, [C.c_void_p, C.c_void_p]),
    "mc_sweep_check_figure": (C.c_int, [C.c_char_p, C.POINTER(mc_error)]),
    "mc_sweep_close": (None, [C.c_void_p]),
    "mc_sweep_count": (mc_sweep_counts, [C.c_void_p]),
    "mc_sweep_draw": (C.c_int, [C.c_char_p, C.POINTER(C.c_char_p), C.c_int, C.c_char_p, C.POINTER(mc_error)]),
    "mc_sweep_merge": (C.c_int, [C.POINTER(C.c_char_p), C.c_int, C.c_char_p, C.POINTER(mc_sweep_merged), C.POINTER(mc_error)]),
    "mc_sweep_open": (C.c_void_p, [C.POINTER(mc_sweep_request), C.POINTER(mc_error)]),
    "mc_sweep_percentile": (C.c_double, [C.POINTER(mc_sweep_table), C.c_int, C.c_double]),
    "mc_sweep_play": (C.c_int, [C.c_void_p, C.POINTER(mc_watch), C.POINTER(mc_error)]),
    "mc_sweep_table_free": (None, [C.POINTER(mc_sweep_table)]),
    "mc_sweep_table_load": (C.POINTER(mc_sweep_table), [C.c_char_p, C.POINTER(mc_error)]),
    "mc_sweep_warning": (C.c_char_p, [C.c_void_p]),
    "mc_sweep_write_percentiles": (C.c_int, [C.c_char_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_table_at": (C.c_bool, [C.c_int, C.POINTER(mc_table)]),
    "mc_timeline_adopt": (C.c_int, [C.c_void_p, C.c_void_p, C.POINTER(mc_error)]),
    "mc_timeline_back": (C.c_int, [C.c_void_p, C.POINTER(mc_error)]),
    "mc_timeline_branch": (C.c_void_p, [C.c_void_p, C.POINTER(mc_error)]),
    "mc_timeline_command": (C.c_int, [C.c_void_p, C.POINTER(mc_command), C.POINTER(mc_error)]),
    "mc_timeline_create": (C.c_void_p, [C.c_void_p, C.POINTER(mc_timeline_options), C.POINTER(mc_error)]),
    "mc_timeline_destroy": (None, [C.c_void_p]),
    "mc_timeline_dropped": (C.c_int, [C.c_void_p]),
    "mc_timeline_edit": (C.c_int, [C.c_void_p, C.c_char_p, C.POINTER(mc_error)]),
    "mc_timeline_end": (C.c_double, [C.c_void_p]),
    "mc_timeline_frame_count": (C.c_int, [C.c_void_p]),
    "mc_timeline_log_change": (C.c_int, [C.c_void_p, C.c_int, C.POINTER(mc_command), C.POINTER(mc_error)]),
    "mc_timeline_log_move": (C.c_int, [C.c_void_p, C.c_int, C.c_double, C.POINTER(mc_error)]),
    "mc_timeline_log_remove": (C.c_int, [C.c_void_p, C.c_int, C.POINTER(mc_error)]),
    "mc_timeline_memory": (C.c_size_t, [C.c_void_p]),
    "mc_timeline_return": (C.c_int, [C.c_void_p, C.POINTER(mc_snapshot), C.POINTER(mc_error)]),
    "mc_timeline_rewind": (C.c_int, [C.c_void_p, C.c_double, C.POINTER(mc_error)]),
    "mc_timeline_seek": (C.c_int, [C.c_void_p, C.c_double, C.POINTER(mc_error)]),
    "mc_timeline_seek_some": (C.c_int, [C.c_void_p, C.c_double, C.c_void_p, C.c_void_p, C.POINTER(mc_timeline_way), C.POINTER(C.c_bool), C.POINTER(mc_error)]),
    "mc_timeline_step": (C.c_int, [C.c_void_p, C.POINTER(mc_error)]),
    "mc_timeline_version": (C.c_int, [C.c_void_p]),
    "mc_timeline_way_free": (None, [C.POINTER(mc_timeline_way)]),
    "mc_tyre_at": (C.POINTER(mc_tyre), [C.c_int]),
    "mc_tyre_register": (C.c_int, [C.POINTER(mc_tyre), C.POINTER(mc_error)]),
    "mc_tyre_rig_close": (None, [C.c_void_p]),
    "mc_tyre_rig_law": (C.POINTER(mc_tyre), [C.c_void_p]),
    "mc_tyre_rig_note": (C.c_char_p, [C.c_void_p, C.c_int]),
    "mc_tyre_rig_open": (C.c_void_p, [C.c_char_p, C.POINTER(mc_error)]),
    "mc_tyre_rig_run": (None, [C.c_void_p, C.POINTER(mc_tyre_slip), C.c_int, C.POINTER(mc_tyre_force)]),
    "mc_tyre_rig_set": (C.c_int, [C.c_void_p, C.c_char_p, C.c_double, C.POINTER(mc_error)]),
    "mc_tyre_rig_value": (C.c_double, [C.c_void_p, C.c_int]),
    "mc_vehicle_bench_free": (None, [C.POINTER(mc_vehicle_bench)]),
    "mc_vehicle_type_at": (C.POINTER(mc_vehicle_type), [C.c_int]),
    "mc_vehicle_type_default": (C.POINTER(mc_vehicle_type), []),
    "mc_vehicle_type_register": (C.c_int, [C.POINTER(mc_vehicle_type), C.POINTER(mc_error)]),
    "mc_verify_at": (C.POINTER(mc_verify_benchmark), [C.c_int]),
    "mc_verify_digits": (C.c_double, [C.c_double, C.c_double]),
    "mc_verify_find": (C.c_int, [C.c_char_p, C.POINTER(mc_error)]),
    "mc_verify_run": (C.c_int, [C.c_int, C.c_void_p, C.c_void_p, C.POINTER(mc_verify_summary), C.POINTER(mc_error)]),
    "mc_version": (C.c_char_p, []),
    "mc_watch_flag": (C.c_bool, [C.c_void_p]),
    "mc_wheel_use": (C.c_double, [C.POINTER(mc_wheel)]),
    "mc_world_add": (C.c_int, [C.c_void_p, C.POINTER(mc_batch), C.c_int, C.POINTER(C.c_int), C.POINTER(mc_error)]),
    "mc_world_advance": (C.c_int, [C.c_void_p, C.c_double, C.POINTER(mc_error)]),
    "mc_world_create": (C.c_void_p, [C.POINTER(mc_world_options), C.POINTER(mc_error)]),
    "mc_world_defaults": (mc_world_options, []),
    "mc_world_destroy": (None, [C.c_void_p]),
    "mc_world_give": (C.c_int, [C.c_void_p, C.POINTER(mc_batch), C.POINTER(mc_error)]),
    "mc_world_hash": (C.c_ulonglong, [C.c_void_p]),
    "mc_world_impacts": (C.POINTER(mc_impact), [C.c_void_p, C.POINTER(C.c_int)]),
    "mc_world_refresh": (C.c_int, [C.c_void_p, C.POINTER(mc_error)]),
    "mc_world_start": (C.c_int, [C.c_void_p, C.POINTER(C.c_int), C.POINTER(C.c_int), C.POINTER(mc_error)]),
    "mc_world_time": (C.c_double, [C.c_void_p]),
    "mc_world_vehicle": (None, [C.c_void_p, C.c_int, C.c_void_p, C.POINTER(C.c_int)]),
    "mc_world_vehicle_count": (C.c_int, [C.c_void_p]),
}
VARIABLES = {
    "mc_dynavis_model_rows": mc_param * 8,
    "mc_dynavis_param_rows": mc_param * 24,
    "mc_field_table": mc_field_info * 28,
    "mc_figure_table": mc_figure * 36,
    "mc_identify_params": mc_param * 28,
}
